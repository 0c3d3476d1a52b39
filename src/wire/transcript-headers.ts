// Headers of an answer that holds a transcript.

/** Names the launch whose transcript an answer holds. */
export const launchHeader = 'signalbox-launch';

/** The file of that transcript, as a component of a URI. */
export const transcriptHeader = 'signalbox-transcript';

/** A trailer: the daemon shut down before the transcript ended. */
export const farewellTrailer = 'signalbox-farewell';
