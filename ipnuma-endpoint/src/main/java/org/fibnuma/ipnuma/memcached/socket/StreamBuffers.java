package org.fibnuma.ipnuma.memcached.socket;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

import java.nio.ByteBuffer;

/**
 * Memory for what one connection at a time receives and answers: what it cannot send or execute at once it takes along.
 * Outside the heap, so that streams copy once. For the thread of the {@link StreamServer}.
 */
final class StreamBuffers implements AutoCloseable
{
    private static final int RECEIVE_LENGTH = 64 * 1024;
    private static final int INITIAL_REPLY = 64 * 1024;
    /** A reply buffer that has grown beyond it is replaced. */
    private static final int LARGEST_KEPT = 256 * 1024;

    private final ByteBuffer destination = ByteBuffer.allocateDirect(RECEIVE_LENGTH);
    private final ByteBuf received = Unpooled.wrappedBuffer(destination);
    private final ReplyBuffer answers = new ReplyBuffer();
    private ByteBuf reply;

    StreamBuffers()
    {
        renewReply();
    }

    private void renewReply()
    {
        reply = Unpooled.directBuffer(INITIAL_REPLY);
        answers.begin(reply);
    }

    /** Returns the empty buffer for the next read. */
    ByteBuffer destination()
    {
        return destination.clear();
    }

    /** Returns what was read into {@link #destination}. */
    ByteBuf received(final int length)
    {
        return received.setIndex(0, length);
    }

    /** Writes into {@link #reply}. */
    ReplyBuffer answers()
    {
        return answers;
    }

    /** Returns the answers that were not sent or taken. */
    ByteBuf reply()
    {
        return reply;
    }

    /** Removes the answers. */
    void clearReply()
    {
        if (reply.capacity() > LARGEST_KEPT)
        {
            reply.release();
            renewReply();
        }
        reply.clear();
    }

    /** Returns the answers to the caller, who releases them. */
    ByteBuf takeReply()
    {
        final ByteBuf taken = reply;
        renewReply();
        return taken;
    }

    @Override
    public void close()
    {
        reply.release();
    }
}
