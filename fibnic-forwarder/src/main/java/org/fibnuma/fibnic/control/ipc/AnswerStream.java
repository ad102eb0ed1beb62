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
     * Writes the waiting bytes that fit; must not block. It is not called while earlier bytes are unread.
     *
     * @param room to write to, {@link #ROOM} bytes.
     * @return false if these were the last bytes; the connection is closed when they are sent.
     */
    boolean fill(ByteBuffer room);

    /** Ends the stream after the waiting bytes, because the client has sent another line. May be called again. */
    void finish();

    /** Called exactly once, on any thread, after all other calls: the stream has ended or the client has gone. */
    void close();
}
