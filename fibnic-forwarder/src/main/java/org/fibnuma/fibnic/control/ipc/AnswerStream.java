package org.fibnuma.fibnic.control.ipc;

import java.nio.ByteBuffer;

/**
 * Bytes that follow an answer on its connection. {@link #fill} and {@link #finish} are called on the server's thread.
 */
public interface AnswerStream
{
    /** Room that {@link #fill} is given, in bytes. */
    int ROOM = 1 << 18;

    /**
     * Writes the bytes that wait, as many as fit; must not block. It is not called while the client is slow.
     *
     * @param room to write to, {@link #ROOM} bytes.
     * @return false if these were the last bytes; the connection is closed when the client has them.
     */
    boolean fill(ByteBuffer room);

    /** The client has sent another line: the stream is to end after the bytes that wait. Further calls do nothing. */
    void finish();

    /** The stream has ended or the client has gone; exactly once, after every other call, on any thread. */
    void close();
}
