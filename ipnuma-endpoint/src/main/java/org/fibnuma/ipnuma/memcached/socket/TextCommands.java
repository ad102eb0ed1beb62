package org.fibnuma.ipnuma.memcached.socket;

import org.fibnuma.ipnuma.memcached.protocol.RequestLine;
import org.fibnuma.ipnuma.memcached.store.Decimal;
import org.fibnuma.ipnuma.memcached.store.DeltaResult;
import org.fibnuma.ipnuma.memcached.store.ItemStore;
import org.fibnuma.ipnuma.memcached.store.StoreCounter;
import org.fibnuma.ipnuma.memcached.store.StoreMode;

import java.nio.charset.StandardCharsets;

/**
 * The commands of memcached's text protocol, with the answers and errors of memcached 1.6.18. For the holder of the
 * store's lock.
 */
final class TextCommands
{
    /** The version of the protocol, by which clients choose commands, and the name of this server. */
    static final String VERSION = "1.6.18-fibnuma";

    private static final int KEY = 1;
    private static final byte[] ERROR = ascii("ERROR");
    private static final byte[] BAD_FORMAT = ascii("CLIENT_ERROR bad command line format");
    private static final byte[] BAD_EXPTIME = ascii("CLIENT_ERROR invalid exptime argument");
    private static final byte[] BAD_DELTA = ascii("CLIENT_ERROR invalid numeric delta argument");
    private static final byte[] BAD_DELETE =
        ascii("CLIENT_ERROR bad command line format.  Usage: delete <key> [noreply]");
    private static final byte[] BAD_DATA = ascii("CLIENT_ERROR bad data chunk");
    private static final byte[] NON_NUMERIC =
        ascii("CLIENT_ERROR cannot increment or decrement non-numeric value");
    private static final byte[] TOO_LARGE = ascii("SERVER_ERROR object too large for cache");
    private static final byte[] NO_MEMORY = ascii("SERVER_ERROR out of memory storing object");
    private static final byte[] NO_MEMORY_FOR_NUMBER = ascii("SERVER_ERROR out of memory");
    private static final byte[] NO_SHUTDOWN = ascii("ERROR: shutdown not enabled");
    private static final byte[] STORED = ascii("STORED");
    private static final byte[] NOT_STORED = ascii("NOT_STORED");
    private static final byte[] EXISTS = ascii("EXISTS");
    private static final byte[] NOT_FOUND = ascii("NOT_FOUND");
    private static final byte[] DELETED = ascii("DELETED");
    private static final byte[] TOUCHED = ascii("TOUCHED");
    private static final byte[] OK = ascii("OK");
    private static final byte[] END = ascii("END");
    private static final byte[] VALUE = ascii("VALUE ");
    private static final byte[] VERSION_LINE = ascii("VERSION " + VERSION);
    private static final byte[] HTTP = ascii("HTTP/");

    private static final byte[] GET = ascii("get");
    private static final byte[] GETS = ascii("gets");
    private static final byte[] GAT = ascii("gat");
    private static final byte[] GATS = ascii("gats");
    private static final byte[] ZERO = ascii("0");
    private static final int LINE_END_LENGTH = 2;

    private final ItemStore store;
    private final Decimal decimal = new Decimal();

    TextCommands(final ItemStore store)
    {
        this.store = store;
    }

    static byte[] ascii(final String text)
    {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** Executes a command that is neither a meta command nor {@code stats}. */
    void execute(final Session session, final ReplyBuffer reply)
    {
        final RequestLine line = session.line();
        if (line.at(0, 0) == 'g')
        {
            get(session, reply);
            return;
        }
        switch (line.text(0))
        {
            case "set" -> set(session, reply, StoreMode.SET);
            case "add" -> set(session, reply, StoreMode.ADD);
            case "replace" -> set(session, reply, StoreMode.REPLACE);
            case "append" -> set(session, reply, StoreMode.APPEND);
            case "prepend" -> set(session, reply, StoreMode.PREPEND);
            case "cas" -> set(session, reply, StoreMode.CAS);
            case "delete" -> delete(session, reply);
            case "incr" -> arithmetic(session, reply, true);
            case "decr" -> arithmetic(session, reply, false);
            case "touch" -> touch(session, reply);
            case "flush_all" -> flush(session, reply);
            case "version" -> reply.line(VERSION_LINE);
            case "verbosity" -> verbosity(session, reply);
            case "shutdown" -> reply.line(NO_SHUTDOWN);
            case "quit" -> session.end();
            default -> unknown(session, reply);
        }
    }

    /** Answers an unknown command with an error. A request of a browser gets no answer. */
    private void unknown(final Session session, final ReplyBuffer reply)
    {
        final RequestLine line = session.line();
        final int last = line.count() - 1;
        boolean isHttp = line.length(last) >= HTTP.length;
        for (int i = 0; i < HTTP.length && isHttp; i++)
        {
            isHttp = line.at(last, i) == HTTP[i];
        }
        if (isHttp)
        {
            session.end();
        }
        else
        {
            reply.line(ERROR);
        }
    }

    private void get(final Session session, final ReplyBuffer reply)
    {
        final RequestLine line = session.line();
        final boolean isTouch = line.is(0, GAT) || line.is(0, GATS);
        if (line.count() < 2 || !isTouch && !line.is(0, GET) && !line.is(0, GETS))
        {
            reply.line(ERROR);
            return;
        }
        final int last = isTouch ? 1 : 0;
        if (isTouch && !readSigned(line, 1))
        {
            reply.line(BAD_EXPTIME);
            return;
        }
        final int keys = line.offset(last) + line.length(last);
        line.rewind(keys);
        while (line.next())
        {
            if (line.nextLength() > ItemStore.MAX_KEY_LENGTH)
            {
                reply.line(BAD_FORMAT);
                return;
            }
        }
        line.rewind(keys);
        session.answerKeys();
    }

    /** Answers the next key of a get, or the end. Returns whether there may be more. */
    boolean answerKey(final Session session, final ReplyBuffer reply)
    {
        final RequestLine line = session.line();
        if (!line.next())
        {
            reply.line(END);
            return false;
        }
        final boolean isTouch = line.at(0, 1) == 'a';
        final int item = store.find(line.bytes(), line.nextOffset(), line.nextLength());
        store.count(isTouch ? StoreCounter.CMD_TOUCH : StoreCounter.CMD_GET, 1);
        if (item == ItemStore.NONE)
        {
            store.count(isTouch ? StoreCounter.TOUCH_MISSES : StoreCounter.GET_MISSES, 1);
            return true;
        }
        store.countItem(isTouch ? StoreCounter.TOUCH_HITS : StoreCounter.GET_HITS, item);
        if (isTouch)
        {
            readSigned(line, 1);
            store.setExpiry(item, store.clock().expiry(decimal.intValue()));
        }
        store.bump(item);
        writeValue(line, item, reply);
        return true;
    }

    private void writeValue(final RequestLine line, final int item, final ReplyBuffer reply)
    {
        final int length = store.valueLength(item);
        reply.bytes(VALUE);
        reply.bytes(line.bytes(), line.nextOffset(), line.nextLength());
        reply.character(' ');
        reply.number(Integer.toUnsignedLong(store.clientFlags(item)));
        reply.character(' ');
        reply.number(length);
        if (line.at(0, line.length(0) - 1) == 's')
        {
            reply.character(' ');
            reply.number(store.cas(item));
        }
        reply.lineEnd();
        reply.bytes(store.valueWindow(item, 0, length + LINE_END_LENGTH));
    }

    private void set(final Session session, final ReplyBuffer reply, final StoreMode mode)
    {
        final RequestLine line = session.line();
        final int numbers = mode == StoreMode.CAS ? 6 : 5;
        if (line.count() != numbers && line.count() != numbers + 1)
        {
            reply.line(ERROR);
            return;
        }
        session.setNoreply(line.endsWithNoreply());
        if (line.length(KEY) > ItemStore.MAX_KEY_LENGTH || !readUnsigned(line, 2))
        {
            session.answer(reply, BAD_FORMAT);
            return;
        }
        final int clientFlags = decimal.intValue();
        boolean isValid = readSigned(line, 3);
        final int exptime = decimal.intValue();
        isValid &= readSigned(line, 4);
        final int length = decimal.intValue();
        long cas = 0;
        if (mode == StoreMode.CAS)
        {
            isValid &= readUnsigned(line, 5);
            cas = decimal.value();
        }
        if (!isValid || length < 0 || length > Integer.MAX_VALUE - LINE_END_LENGTH)
        {
            session.answer(reply, BAD_FORMAT);
            return;
        }
        receive(session, reply, mode, clientFlags, exptime, length, cas);
    }

    private void receive(
        final Session session,
        final ReplyBuffer reply,
        final StoreMode mode,
        final int clientFlags,
        final int exptime,
        final int length,
        final long cas)
    {
        final RequestLine line = session.line();
        final boolean fits = store.fits(line.length(KEY), length, clientFlags);
        final int item = !fits ? ItemStore.NONE : store.allocate(
            line.bytes(), line.offset(KEY), line.length(KEY), clientFlags, store.clock().expiry(exptime), length);
        if (item != ItemStore.NONE)
        {
            session.receive(item, mode, cas, false, false);
            return;
        }
        if (!fits)
        {
            store.count(StoreCounter.STORE_TOO_LARGE, 1);
        }
        session.answer(reply, fits ? NO_MEMORY : TOO_LARGE);
        if (mode == StoreMode.SET)
        {
            remove(line);
        }
        session.swallow(length);
    }

    /** Removes the old value of a key whose new value could not be stored. */
    private void remove(final RequestLine line)
    {
        final int old = store.find(line.bytes(), line.offset(KEY), line.length(KEY));
        if (old != ItemStore.NONE)
        {
            store.unlink(old);
        }
    }

    void finishSet(final Session session, final int item, final ReplyBuffer reply)
    {
        store.countItem(StoreCounter.CMD_SET, item);
        if (!store.hasLineEnd(item))
        {
            store.release(item);
            session.answer(reply, BAD_DATA);
            return;
        }
        session.answer(reply, switch (store.store(item, session.mode(), session.requestCas(), false))
        {
            case STORED -> STORED;
            case NOT_STORED -> NOT_STORED;
            case EXISTS -> EXISTS;
            case NOT_FOUND -> NOT_FOUND;
        });
    }

    private void delete(final Session session, final ReplyBuffer reply)
    {
        final RequestLine line = session.line();
        if (line.count() < 2 || line.count() > 4)
        {
            reply.line(ERROR);
            return;
        }
        if (line.count() > 2)
        {
            // The old form has a time, of which only 0 is accepted.
            final boolean hasZero = line.is(2, ZERO);
            session.setNoreply(line.endsWithNoreply());
            if (line.count() == 3 ? !hasZero && !session.isNoreply() : !hasZero || !session.isNoreply())
            {
                session.answer(reply, BAD_DELETE);
                return;
            }
        }
        if (line.length(KEY) > ItemStore.MAX_KEY_LENGTH)
        {
            session.answer(reply, BAD_FORMAT);
            return;
        }
        final int item = store.find(line.bytes(), line.offset(KEY), line.length(KEY));
        if (item == ItemStore.NONE)
        {
            store.count(StoreCounter.DELETE_MISSES, 1);
        }
        else
        {
            store.countItem(StoreCounter.DELETE_HITS, item);
            store.unlink(item);
        }
        session.answer(reply, item == ItemStore.NONE ? NOT_FOUND : DELETED);
    }

    private void arithmetic(final Session session, final ReplyBuffer reply, final boolean increase)
    {
        if (!hasKeyAndNumber(session, reply))
        {
            return;
        }
        final RequestLine line = session.line();
        if (!readUnsigned(line, 2))
        {
            session.answer(reply, BAD_DELTA);
            return;
        }
        final DeltaResult result = store.delta(
            line.bytes(), line.offset(KEY), line.length(KEY), increase, decimal.value(), 0);
        switch (result)
        {
            case OK ->
            {
                if (!session.isNoreply())
                {
                    reply.number(store.deltaValue());
                    reply.lineEnd();
                }
            }
            case NON_NUMERIC -> session.answer(reply, NON_NUMERIC);
            case OUT_OF_MEMORY -> session.answer(reply, NO_MEMORY_FOR_NUMBER);
            default ->
            {
                store.count(increase ? StoreCounter.INCR_MISSES : StoreCounter.DECR_MISSES, 1);
                session.answer(reply, NOT_FOUND);
            }
        }
    }

    private void touch(final Session session, final ReplyBuffer reply)
    {
        if (!hasKeyAndNumber(session, reply))
        {
            return;
        }
        final RequestLine line = session.line();
        if (!readSigned(line, 2))
        {
            session.answer(reply, BAD_EXPTIME);
            return;
        }
        final int item = store.find(line.bytes(), line.offset(KEY), line.length(KEY));
        store.count(StoreCounter.CMD_TOUCH, 1);
        if (item == ItemStore.NONE)
        {
            store.count(StoreCounter.TOUCH_MISSES, 1);
        }
        else
        {
            store.countItem(StoreCounter.TOUCH_HITS, item);
            store.setExpiry(item, store.clock().expiry(decimal.intValue()));
            store.bump(item);
        }
        session.answer(reply, item == ItemStore.NONE ? NOT_FOUND : TOUCHED);
    }

    private boolean hasKeyAndNumber(final Session session, final ReplyBuffer reply)
    {
        final RequestLine line = session.line();
        if (line.count() != 3 && line.count() != 4)
        {
            reply.line(ERROR);
            return false;
        }
        session.setNoreply(line.endsWithNoreply());
        if (line.length(KEY) > ItemStore.MAX_KEY_LENGTH)
        {
            session.answer(reply, BAD_FORMAT);
            return false;
        }
        return true;
    }

    private void flush(final Session session, final ReplyBuffer reply)
    {
        final RequestLine line = session.line();
        if (line.count() > 3)
        {
            reply.line(ERROR);
            return;
        }
        session.setNoreply(line.endsWithNoreply());
        store.count(StoreCounter.CMD_FLUSH, 1);
        int delay = 0;
        if (line.count() != (session.isNoreply() ? 2 : 1))
        {
            if (!readSigned(line, 1))
            {
                session.answer(reply, BAD_EXPTIME);
                return;
            }
            delay = decimal.intValue();
        }
        store.flush(delay);
        session.answer(reply, OK);
    }

    private void verbosity(final Session session, final ReplyBuffer reply)
    {
        final RequestLine line = session.line();
        if (line.count() != 2 && line.count() != 3)
        {
            reply.line(ERROR);
            return;
        }
        session.setNoreply(line.endsWithNoreply());
        session.answer(reply, readUnsigned(line, 1) ? OK : BAD_FORMAT);
    }

    private boolean readUnsigned(final RequestLine line, final int token)
    {
        return decimal.readUnsigned(line.bytes(), line.offset(token), line.length(token));
    }

    private boolean readSigned(final RequestLine line, final int token)
    {
        return decimal.readSigned(line.bytes(), line.offset(token), line.length(token));
    }
}
