package org.fibnuma.ipnuma.memcached.socket;

import io.netty.buffer.ByteBuf;
import org.fibnuma.ipnuma.memcached.protocol.RequestLine;
import org.fibnuma.ipnuma.memcached.store.ItemStore;
import org.fibnuma.ipnuma.memcached.store.StoreMode;

/**
 * State of a client's requests: it receives a line or a data block, skips a data block, or answers the keys of a get.
 * Executes one step at a time, so that a handler can stop between two keys when the client does not read. For the
 * holder of the store's lock.
 */
final class Session
{
    private static final byte[] LINE_TOO_LONG = TextCommands.ascii("CLIENT_ERROR line too long");
    private static final int LINE_END_LENGTH = 2;

    private enum State
    {
        LINE, DATA, SWALLOW, KEYS, ENDED
    }

    private final RequestLine line = new RequestLine();
    private final CommandSet commands;
    private final ItemStore store;
    private State state = State.LINE;
    private boolean isLineComplete;
    private boolean isNoreply;
    /** Missing bytes of the data block, including CR LF. */
    private int remaining;
    private int item;
    private StoreMode mode;
    private long requestCas;
    private boolean mayBeStale;
    private boolean isMeta;

    Session(final CommandSet commands)
    {
        this.commands = commands;
        this.store = commands.store();
    }

    /**
     * Skips and executes the received bytes of the next step. Returns false if more are needed or the session has
     * ended.
     */
    boolean step(final ByteBuf in, final ReplyBuffer reply)
    {
        switch (state)
        {
            case LINE:
                return in.isReadable() && readLine(in, reply);
            case DATA:
                return readData(in, reply);
            case SWALLOW:
                final int count = Math.min(remaining, in.readableBytes());
                in.skipBytes(count);
                remaining -= count;
                state = remaining == 0 ? State.LINE : State.SWALLOW;
                return remaining == 0;
            case KEYS:
                if (!commands.text().answerKey(this, reply))
                {
                    state = State.LINE;
                }
                return true;
            default:
                in.skipBytes(in.readableBytes());
                return false;
        }
    }

    private boolean readLine(final ByteBuf in, final ReplyBuffer reply)
    {
        if (isLineComplete)
        {
            line.clear();
            isLineComplete = false;
        }
        final int end = in.indexOf(in.readerIndex(), in.writerIndex(), (byte)'\n');
        final int count = end < 0 ? in.readableBytes() : end - in.readerIndex();
        in.readBytes(line.reserve(count), line.length(), count);
        line.advance(count);
        if (end < 0)
        {
            if (!line.mayGrow())
            {
                reply.line(LINE_TOO_LONG);
                end();
            }
            return false;
        }
        in.skipBytes(1);
        line.end();
        isLineComplete = true;
        isNoreply = false;
        commands.execute(this, reply);
        return true;
    }

    private boolean readData(final ByteBuf in, final ReplyBuffer reply)
    {
        final int count = Math.min(remaining, in.readableBytes());
        if (count > 0)
        {
            final int done = store.valueLength(item) + LINE_END_LENGTH - remaining;
            in.readBytes(store.valueWindow(item, done, count));
            remaining -= count;
        }
        if (remaining > 0)
        {
            return false;
        }
        state = State.LINE;
        final int received = item;
        item = ItemStore.NONE;
        if (isMeta)
        {
            commands.meta().finishSet(this, received, reply);
        }
        else
        {
            commands.text().finishSet(this, received, reply);
        }
        return true;
    }

    /** Lets the next step receive a data block into an allocated item. */
    void receive(final int target, final StoreMode how, final long cas, final boolean stale, final boolean meta)
    {
        item = target;
        mode = how;
        requestCas = cas;
        mayBeStale = stale;
        isMeta = meta;
        remaining = store.valueLength(target) + LINE_END_LENGTH;
        state = State.DATA;
    }

    /** Lets the next step skip a data block. */
    void swallow(final int valueLength)
    {
        remaining = valueLength + LINE_END_LENGTH;
        state = State.SWALLOW;
    }

    /** Lets each of the next steps answer one key of the line. */
    void answerKeys()
    {
        state = State.KEYS;
    }

    /** Ends the session, which answers nothing from now on. */
    void end()
    {
        state = State.ENDED;
    }

    boolean isEnded()
    {
        return state == State.ENDED;
    }

    /** Discards an incomplete request after the end of the client or of the datagram. */
    void reset()
    {
        if (item != ItemStore.NONE)
        {
            store.release(item);
            item = ItemStore.NONE;
        }
        state = State.LINE;
        line.clear();
        isLineComplete = false;
    }

    RequestLine line()
    {
        return line;
    }

    StoreMode mode()
    {
        return mode;
    }

    long requestCas()
    {
        return requestCas;
    }

    boolean mayBeStale()
    {
        return mayBeStale;
    }

    boolean isNoreply()
    {
        return isNoreply;
    }

    void setNoreply(final boolean on)
    {
        isNoreply = on;
    }

    /** Answers with a line unless the client has suppressed the answer. */
    void answer(final ReplyBuffer reply, final byte[] text)
    {
        if (!isNoreply)
        {
            reply.line(text);
        }
    }
}
