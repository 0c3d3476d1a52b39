# Runs a command on a terminal of its own. Its output goes to our stdout. Our stdin takes orders, a JSON array a line:
# ["type", text] or ["size", rows, columns]. Ends as the command does.
import fcntl, json, os, pty, select, struct, sys, termios

rows, columns, argv = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]


def size(fd, rows, columns):
    fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))


ready, go = os.pipe()
pid, fd = pty.fork()
if pid == 0:
    os.close(go)
    os.read(ready, 1)
    os.execvp(argv[0], argv)
os.close(ready)
size(fd, rows, columns)
os.close(go)

orders, inputs = b"", [fd, 0]
while True:
    readable, _, _ = select.select(inputs, [], [])
    if 0 in readable:
        chunk = os.read(0, 65536)
        if not chunk:
            inputs.remove(0)
        orders += chunk
        while b"\n" in orders:
            line, orders = orders.split(b"\n", 1)
            what, *args = json.loads(line)
            if what == "type":
                os.write(fd, args[0].encode())
            else:
                size(fd, *args)
    if fd in readable:
        try:
            chunk = os.read(fd, 65536)
        except OSError:
            chunk = b""
        if not chunk:
            break
        os.write(1, chunk)
_, status = os.waitpid(pid, 0)
sys.exit(os.waitstatus_to_exitcode(status) & 0xFF)
