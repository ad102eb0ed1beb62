package org.fibnuma.ipnuma.memcached.socket;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

import java.nio.ByteBuffer;

/**
 * Memory for the input and the answers of one connection at a time. A connection copies the rest that it cannot send or
 * execute at once. The memory is outside the heap, so that streams copy once. For the thread of the {@link
 * StreamServer}.
 */
final class StreamBuffers implements AutoCloseable
{
    private static final int RECEIVE_LENGTH = 64 * 1024;
    private static final int INITIAL_REPLY = 64 * 1024;
    /** A reply buffer that has grown beyond this length in bytes is replaced. */
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

    /** Returns the bytes that were read into {@link #destination}. */
    ByteBuf received(final int length)
    {
        return received.setIndex(0, length);
    }

    ReplyBuffer answers()
    {
        return answers;
    }

    /** Returns the answers that were not sent. */
    ByteBuf reply()
    {
        return reply;
    }

    void clearReply()
    {
        if (reply.capacity() > LARGEST_KEPT)
        {
            reply.release();
            renewReply();
        }
        reply.clear();
    }

    /** Passes the answers to the caller, which releases them. */
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
