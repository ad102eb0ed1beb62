package org.fibnuma.ipnuma.memcached.socket;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.fibnuma.ipnuma.memcached.store.StoreCounter;
import org.fibnuma.ipnuma.stream.IpnumaSocketAddress;
import org.fibnuma.ipnuma.stream.StreamChannel;

import java.io.IOException;

/**
 * A connection over a stream. If its client does not read, its commands are not executed and its bytes stay in the
 * ring. At most the output of one step (a value and its line), {@link ConnectionHandler#REPLY_LENGTH} and the bytes of
 * one read wait. For the thread of the {@link StreamServer}.
 */
final class StreamConnection
{
    private final StreamChannel channel;
    private final StoreAccess access;
    private final StreamBuffers buffers;
    private final Session session;
    /** Answers that do not fit into the client's ring; null if there are none. */
    private ByteBuf waitingReply;
    /** Input that waits until the answers are sent, possibly of 0 bytes; null if the session needs more input. */
    private ByteBuf waitingInput;
    private boolean isClosed;

    StreamConnection(final StreamChannel channel, final StoreAccess access, final StreamBuffers buffers)
    {
        this.channel = channel;
        this.access = access;
        this.buffers = buffers;
        this.session = new Session(access.commands());
    }

    /** Answers only this line and ends the connection. */
    void refuse(final byte[] line)
    {
        session.end();
        waitingReply = Unpooled.wrappedBuffer(line);
    }

    /**
     * Sends waiting answers, then reads and executes.
     *
     * @param reads maximum number of reads, 1 or more, so that connections take turns.
     * @return true if there may be more work. If false, an event of the channel follows or the connection is closed.
     */
    boolean serve(final int reads)
    {
        int left = reads;
        try
        {
            while (left > 0 && advance())
            {
                left--;
            }
        }
        catch (final IOException ignore)
        {
            // The end of a client is not logged.
            abandon();
        }
        return left == 0;
    }

    private boolean advance() throws IOException
    {
        if (waitingReply != null)
        {
            if (!send(waitingReply))
            {
                return false;
            }
            dropReply();
        }
        final ByteBuf input = session.isEnded() ? null : input();
        if (input != null)
        {
            execute(input);
        }
        return input != null;
    }

    /** Returns the next input, or null if there is none or the connection is closed. */
    private ByteBuf input() throws IOException
    {
        if (waitingInput != null)
        {
            final ByteBuf input = waitingInput;
            waitingInput = null;
            return input;
        }
        final int count = channel.read(buffers.destination());
        if (count < 0)
        {
            close();
        }
        return count > 0 ? buffers.received(count) : null;
    }

    private void execute(final ByteBuf input) throws IOException
    {
        boolean hasMore = true;
        while (hasMore && waitingReply == null)
        {
            hasMore = step(input);
            final ByteBuf reply = buffers.reply();
            if (send(reply))
            {
                buffers.clearReply();
            }
            else
            {
                waitingReply = buffers.takeReply();
            }
        }
        // Input of 0 bytes waits too: the session may be between two keys.
        if (hasMore)
        {
            waitingInput = Unpooled.buffer(input.readableBytes()).writeBytes(input);
        }
    }

    /** Executes until there are enough answers for a write. Returns false if more bytes are needed. */
    private boolean step(final ByteBuf input)
    {
        final ReplyBuffer answers = buffers.answers();
        final int length = input.readableBytes();
        access.lock();
        try
        {
            access.store().tick();
            boolean hasMore = true;
            while (hasMore && answers.length() < ConnectionHandler.REPLY_LENGTH)
            {
                hasMore = session.step(input, answers);
            }
            access.store().count(StoreCounter.BYTES_READ, length - input.readableBytes());
            access.store().count(StoreCounter.BYTES_WRITTEN, answers.length());
            return hasMore;
        }
        finally
        {
            access.unlock();
        }
    }

    /** Sends as many bytes as fit. Returns whether all were sent. */
    private boolean send(final ByteBuf reply) throws IOException
    {
        boolean hasRoom = true;
        while (hasRoom && reply.isReadable())
        {
            final int count = channel.write(reply.internalNioBuffer(reply.readerIndex(), reply.readableBytes()));
            reply.skipBytes(count);
            hasRoom = count > 0;
        }
        return !reply.isReadable();
    }

    private void dropReply()
    {
        waitingReply.release();
        waitingReply = null;
    }

    /** Returns whether the client has closed the connection or has received all answers of an ended session. */
    boolean isEnded()
    {
        return isClosed || session.isEnded() && waitingReply == null;
    }

    IpnumaSocketAddress remoteAddress()
    {
        return channel.remoteAddress();
    }

    /** Closes the channel after an error. Unsent answers are discarded, so that no other client gets them. */
    void abandon()
    {
        buffers.clearReply();
        close();
    }

    /** Closes the channel and discards waiting bytes. Only the first call has an effect. */
    void close()
    {
        if (isClosed)
        {
            return;
        }
        isClosed = true;
        channel.close();
        if (waitingReply != null)
        {
            dropReply();
        }
        waitingInput = null;
        access.end(session);
    }
}
