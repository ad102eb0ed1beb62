package org.fibnuma.ipnuma.memcached.socket;

import org.fibnuma.ipnuma.memcached.protocol.MetaFlags;
import org.fibnuma.ipnuma.memcached.protocol.RequestLine;
import org.fibnuma.ipnuma.memcached.store.Decimal;
import org.fibnuma.ipnuma.memcached.store.DeltaResult;
import org.fibnuma.ipnuma.memcached.store.ItemStore;
import org.fibnuma.ipnuma.memcached.store.StoreCounter;
import org.fibnuma.ipnuma.memcached.store.StoreMode;
import org.fibnuma.ipnuma.memcached.store.StoreResult;

import java.util.Arrays;
import java.util.Base64;

/** The meta commands of memcached 1.6.18. For the holder of the store's lock. */
final class MetaCommands
{
    private static final int KEY = 1;
    private static final int LINE_END_LENGTH = 2;
    private static final byte[] ERROR = TextCommands.ascii("ERROR");
    private static final byte[] BAD_FORMAT = TextCommands.ascii("CLIENT_ERROR bad command line format");
    private static final byte[] BAD_DATA = TextCommands.ascii("CLIENT_ERROR bad data chunk");
    private static final byte[] BAD_FLAG = TextCommands.ascii("CLIENT_ERROR invalid or duplicate flag");
    private static final byte[] TOO_MANY_FLAGS = TextCommands.ascii("CLIENT_ERROR options flags are too long");
    private static final byte[] TOO_MANY_FLAGS_TO_CHANGE = TextCommands.ascii("CLIENT_ERROR options flags too long");
    private static final byte[] OPAQUE_TOO_LONG = TextCommands.ascii("CLIENT_ERROR opaque token too long");
    private static final byte[] BAD_SET_MODE = TextCommands.ascii("CLIENT_ERROR invalid mode for ms M token");
    private static final byte[] BAD_DELTA_MODE = TextCommands.ascii("CLIENT_ERROR invalid mode for ma M token");
    private static final byte[] NON_NUMERIC =
        TextCommands.ascii("CLIENT_ERROR cannot increment or decrement non-numeric value");
    private static final byte[] TOO_LARGE = TextCommands.ascii("SERVER_ERROR object too large for cache");
    private static final byte[] NO_MEMORY = TextCommands.ascii("SERVER_ERROR out of memory storing object");
    private static final byte[] NO_MEMORY_FOR_NUMBER = TextCommands.ascii("SERVER_ERROR out of memory");
    private static final byte[] NO_MEMORY_FOR_NEW_NUMBER =
        TextCommands.ascii("SERVER_ERROR Out of memory allocating new item");
    private static final byte[] DONE = TextCommands.ascii("HD");
    private static final byte[] VALUE = TextCommands.ascii("VA ");
    private static final byte[] MISS = TextCommands.ascii("EN");
    private static final byte[] NOT_FOUND = TextCommands.ascii("NF");
    private static final byte[] NOT_STORED = TextCommands.ascii("NS");
    private static final byte[] EXISTS = TextCommands.ascii("EX");
    private static final byte[] DEBUG = TextCommands.ascii("ME ");
    private static final byte[] UNLIMITED = TextCommands.ascii("-1");

    private final ItemStore store;
    private final MetaFlags flags = new MetaFlags();
    private final Decimal decimal = new Decimal();
    private final byte[] digits = new byte[Decimal.MAX_DIGITS];
    private final byte[] key = new byte[ItemStore.MAX_KEY_LENGTH];

    MetaCommands(final ItemStore store)
    {
        this.store = store;
    }

    /** Validates a request with mg, md or ma and reads its flags. After an error, answers and returns false. */
    private boolean begin(
        final Session session, final ReplyBuffer reply, final byte[] tooMany, final boolean hasOneMessage)
    {
        store.count(StoreCounter.CMD_META, 1);
        final RequestLine line = session.line();
        if (line.count() < 2)
        {
            reply.line(ERROR);
        }
        else if (line.length(KEY) > ItemStore.MAX_KEY_LENGTH)
        {
            reply.line(BAD_FORMAT);
        }
        else if (line.count() > MetaFlags.MAX_TOKENS)
        {
            reply.line(tooMany);
        }
        else if (flags.parse(line, 2))
        {
            session.setNoreply(flags.has('q'));
            return true;
        }
        else if (hasOneMessage)
        {
            reply.line(BAD_FLAG);
        }
        else
        {
            reply.line(flags.error());
        }
        return false;
    }

    private int find(final RequestLine line)
    {
        return store.find(line.bytes(), line.offset(KEY), line.length(KEY));
    }

    /** {@code mg}. */
    void get(final Session session, final ReplyBuffer reply)
    {
        if (!begin(session, reply, TOO_MANY_FLAGS, false))
        {
            return;
        }
        final RequestLine line = session.line();
        final boolean isTouch = flags.has('T');
        int item = find(line);
        boolean isCreated = false;
        if (item == ItemStore.NONE && flags.has('N'))
        {
            item = store.allocate(line.bytes(), line.offset(KEY), line.length(KEY), 0, 0, 0);
            isCreated = item != ItemStore.NONE;
            if (isCreated)
            {
                store.link(item);
            }
        }
        store.count(isTouch ? StoreCounter.CMD_TOUCH : StoreCounter.CMD_GET, 1);
        if (item == ItemStore.NONE)
        {
            store.count(isTouch ? StoreCounter.TOUCH_MISSES : StoreCounter.GET_MISSES, 1);
            if (!session.isNoreply())
            {
                reply.bytes(MISS);
                finishWithKey(line, reply, reply.length() - MISS.length);
            }
            else if (isOpaqueTooLong(line))
            {
                reply.line(OPAQUE_TOO_LONG);
            }
            return;
        }
        store.countItem(isTouch ? StoreCounter.TOUCH_HITS : StoreCounter.GET_HITS, item);
        // Without these flags memcached counts the access before it processes the other flags.
        final boolean isLate =
            isTouch || flags.has('N') || flags.has('R') || flags.has('l') || flags.has('h');
        if ((answerItem(line, item, isCreated, reply) || !isLate) && !flags.has('u'))
        {
            store.bump(item);
        }
    }

    /**
     * Answers and changes an item by the flags in their order. Returns false, with an error line, for a flag that is
     * too long.
     */
    private boolean answerItem(
        final RequestLine line, final int item, final boolean isCreated, final ReplyBuffer reply)
    {
        final int start = reply.length();
        final int length = store.valueLength(item);
        writeStatus(reply, length);
        boolean hasWon = false;
        for (int i = 2; i < line.count(); i++)
        {
            switch (line.at(i, 0))
            {
                case 'T' -> store.setExpiry(item, store.clock().expiry(flags.newTtl()));
                case 'N' ->
                {
                    if (isCreated)
                    {
                        store.setExpiry(item, store.clock().expiry(flags.vivifyTtl()));
                        hasWon = true;
                    }
                }
                case 'R' -> hasWon |= !isCreated && isDueForRecache(item);
                case 's' -> writeFlag(reply, 's', length);
                case 't' -> writeTtl(item, reply);
                case 'c' -> writeFlag(reply, 'c', store.cas(item));
                case 'f' -> writeFlag(reply, 'f', Integer.toUnsignedLong(store.clientFlags(item)));
                case 'l' -> writeFlag(reply, 'l', store.now() - store.time(item));
                case 'h' -> writeFlag(reply, 'h', store.isFetched(item) ? 1 : 0);
                case 'k' -> writeKey(reply, key, 0, store.getKey(item, key), store.isBinaryKey(item));
                case 'O' ->
                {
                    if (line.length(i) > MetaFlags.MAX_OPAQUE_LENGTH)
                    {
                        reply.truncate(start);
                        reply.line(OPAQUE_TOO_LONG);
                        return false;
                    }
                    writeOpaque(line, i, reply);
                }
                default ->
                {
                    // Has no effect on the answer.
                }
            }
        }
        writeMarks(item, hasWon, reply);
        reply.lineEnd();
        if (flags.has('v'))
        {
            reply.bytes(store.valueWindow(item, 0, length + LINE_END_LENGTH));
        }
        return true;
    }

    private boolean isDueForRecache(final int item)
    {
        final int expiry = store.expiry(item);
        return !store.isTokenSent(item) && expiry != 0 && expiry < store.clock().expiry(flags.recacheTtl());
    }

    /** Adds the flags for an outdated value: whether this client or another one has to renew it. */
    private void writeMarks(final int item, final boolean hasWon, final ReplyBuffer reply)
    {
        final boolean isSent = store.isTokenSent(item);
        if (isSent)
        {
            writeFlag(reply, 'Z');
        }
        if (store.isStale(item))
        {
            writeFlag(reply, 'X');
        }
        if (hasWon || store.isStale(item) && !isSent)
        {
            writeFlag(reply, 'W');
            store.setTokenSent(item);
        }
    }

    /** {@code ms}, up to its data block. */
    void set(final Session session, final ReplyBuffer reply)
    {
        store.count(StoreCounter.CMD_META, 1);
        final RequestLine line = session.line();
        if (line.count() < 2)
        {
            reply.line(ERROR);
        }
        else if (line.length(KEY) > ItemStore.MAX_KEY_LENGTH || line.count() == 2)
        {
            reply.line(BAD_FORMAT);
        }
        else if (line.count() > MetaFlags.MAX_TOKENS)
        {
            reply.line(TOO_MANY_FLAGS_TO_CHANGE);
        }
        else if (!decimal.readSigned(line.bytes(), line.offset(2), line.length(2)) || decimal.intValue() < 0 ||
            decimal.intValue() > Integer.MAX_VALUE - LINE_END_LENGTH)
        {
            reply.line(BAD_FORMAT);
        }
        else
        {
            receive(session, decimal.intValue(), reply);
        }
    }

    private void receive(final Session session, final int length, final ReplyBuffer reply)
    {
        final RequestLine line = session.line();
        if (!flags.parse(line, 3))
        {
            reply.line(flags.error());
            session.swallow(length);
            return;
        }
        session.setNoreply(flags.has('q'));
        final StoreMode mode = storeMode();
        if (mode == null || isOpaqueTooLong(line))
        {
            reply.line(mode == null ? BAD_SET_MODE : OPAQUE_TOO_LONG);
            session.swallow(length);
            return;
        }
        final boolean fits = store.fits(line.length(KEY), length, flags.clientFlags());
        final int item = !fits ? ItemStore.NONE : store.allocate(
            line.bytes(), line.offset(KEY), line.length(KEY), flags.clientFlags(),
            store.clock().expiry(flags.newTtl()), length);
        if (item == ItemStore.NONE)
        {
            refuse(session, fits, length, reply);
            return;
        }
        if (flags.has('b'))
        {
            store.setBinaryKey(item);
        }
        session.receive(item, mode, flags.cas(), flags.has('I') && mode == StoreMode.CAS, true);
    }

    private void refuse(final Session session, final boolean fits, final int length, final ReplyBuffer reply)
    {
        store.count(StoreCounter.STORE_TOO_LARGE, fits ? 0 : 1);
        reply.line(fits ? NO_MEMORY : TOO_LARGE);
        final int old = find(session.line());
        if (old != ItemStore.NONE)
        {
            store.unlink(old);
        }
        session.swallow(length);
    }

    private StoreMode storeMode()
    {
        final StoreMode mode = switch (flags.mode())
        {
            case 0, 'S' -> StoreMode.SET;
            case 'E' -> StoreMode.ADD;
            case 'A' -> StoreMode.APPEND;
            case 'P' -> StoreMode.PREPEND;
            case 'R' -> StoreMode.REPLACE;
            default -> null;
        };
        return flags.has('C') && (mode == StoreMode.SET || mode == StoreMode.REPLACE) ? StoreMode.CAS : mode;
    }

    /** Stores a value whose data block is complete. The line is still that of the command. */
    void finishSet(final Session session, final int item, final ReplyBuffer reply)
    {
        store.countItem(StoreCounter.CMD_SET, item);
        if (!store.hasLineEnd(item))
        {
            store.release(item);
            reply.line(BAD_DATA);
            return;
        }
        final RequestLine line = session.line();
        final boolean isBinary = store.isBinaryKey(item);
        final StoreResult result = store.store(item, session.mode(), session.requestCas(), session.mayBeStale());
        if (result == StoreResult.STORED && session.isNoreply())
        {
            return;
        }
        reply.bytes(switch (result)
        {
            case STORED -> DONE;
            case NOT_STORED -> NOT_STORED;
            case EXISTS -> EXISTS;
            case NOT_FOUND -> NOT_FOUND;
        });
        for (int i = 3; i < line.count(); i++)
        {
            switch (line.at(i, 0))
            {
                case 'O' -> writeOpaque(line, i, reply);
                case 'k' -> writeKey(reply, line.bytes(), line.offset(KEY), line.length(KEY), isBinary);
                case 'c' -> writeFlag(reply, 'c', result == StoreResult.STORED ? store.lastCas() : 0);
                default ->
                {
                    // Has no effect on the answer.
                }
            }
        }
        reply.lineEnd();
    }

    /** {@code md}. */
    void delete(final Session session, final ReplyBuffer reply)
    {
        if (!begin(session, reply, TOO_MANY_FLAGS_TO_CHANGE, true))
        {
            return;
        }
        final RequestLine line = session.line();
        if (isOpaqueTooLong(line))
        {
            reply.line(OPAQUE_TOO_LONG);
            return;
        }
        final int start = reply.length();
        final int item = find(line);
        final boolean isOther = item != ItemStore.NONE && flags.has('C') && store.cas(item) != flags.cas();
        reply.bytes(item == ItemStore.NONE ? NOT_FOUND : isOther ? EXISTS : DONE);
        finishWithKey(line, reply, start);
        if (item == ItemStore.NONE || isOther)
        {
            store.count(StoreCounter.DELETE_MISSES, 1);
            return;
        }
        if (flags.has('I'))
        {
            if (flags.has('T'))
            {
                store.setExpiry(item, store.clock().expiry(flags.newTtl()));
            }
            store.invalidate(item);
        }
        else
        {
            store.countItem(StoreCounter.DELETE_HITS, item);
            store.unlink(item);
        }
        if (session.isNoreply())
        {
            reply.truncate(start);
        }
    }

    /** {@code ma}. */
    void arithmetic(final Session session, final ReplyBuffer reply)
    {
        if (!begin(session, reply, TOO_MANY_FLAGS_TO_CHANGE, true))
        {
            return;
        }
        final RequestLine line = session.line();
        final char mode = flags.mode();
        if (mode != 0 && "I+D-".indexOf(mode) < 0)
        {
            reply.line(BAD_DELTA_MODE);
            return;
        }
        final boolean increase = mode != 'D' && mode != '-';
        final DeltaResult result = store.delta(
            line.bytes(), line.offset(KEY), line.length(KEY), increase, flags.delta(), flags.cas());
        final int start = reply.length();
        switch (result)
        {
            case OK ->
            {
                answerNumber(line, store.deltaItem(), store.deltaValue(), false, reply);
                if (session.isNoreply() && !isOpaqueTooLong(line))
                {
                    reply.truncate(start);
                }
            }
            case NON_NUMERIC -> reply.line(NON_NUMERIC);
            case OUT_OF_MEMORY -> reply.line(NO_MEMORY_FOR_NUMBER);
            case EXISTS ->
            {
                reply.bytes(EXISTS);
                finishWithKey(line, reply, start);
            }
            default -> startNumber(line, increase, reply);
        }
    }

    private void startNumber(final RequestLine line, final boolean increase, final ReplyBuffer reply)
    {
        if (!flags.has('N'))
        {
            store.count(increase ? StoreCounter.INCR_MISSES : StoreCounter.DECR_MISSES, 1);
            final int start = reply.length();
            reply.bytes(NOT_FOUND);
            finishWithKey(line, reply, start);
            return;
        }
        final int length = Decimal.format(flags.initial(), digits);
        final int item = store.allocate(line.bytes(), line.offset(KEY), line.length(KEY), 0, 0, length);
        if (item == ItemStore.NONE)
        {
            reply.line(NO_MEMORY_FOR_NEW_NUMBER);
            return;
        }
        store.valueWindow(item).put(digits, 0, length);
        store.link(item);
        answerNumber(line, item, flags.initial(), true, reply);
    }

    private void answerNumber(
        final RequestLine line, final int item, final long number, final boolean isCreated, final ReplyBuffer reply)
    {
        final int start = reply.length();
        final int length = Decimal.format(number, digits);
        writeStatus(reply, length);
        for (int i = 2; i < line.count(); i++)
        {
            switch (line.at(i, 0))
            {
                case 'c' -> writeFlag(reply, 'c', store.cas(item));
                case 't' -> writeTtl(item, reply);
                case 'T' -> store.setExpiry(item, store.clock().expiry(flags.newTtl()));
                case 'N' ->
                {
                    if (isCreated)
                    {
                        store.setExpiry(item, store.clock().expiry(flags.vivifyTtl()));
                    }
                }
                case 'k' -> writeKey(reply, line.bytes(), line.offset(KEY), line.length(KEY), flags.has('b'));
                case 'O' ->
                {
                    if (line.length(i) > MetaFlags.MAX_OPAQUE_LENGTH)
                    {
                        reply.truncate(start);
                        reply.line(OPAQUE_TOO_LONG);
                        return;
                    }
                    writeOpaque(line, i, reply);
                }
                default ->
                {
                    // Has no effect on the answer.
                }
            }
        }
        reply.lineEnd();
        if (flags.has('v'))
        {
            reply.bytes(digits, 0, length);
            reply.lineEnd();
        }
    }

    /** {@code me}. */
    void debug(final Session session, final ReplyBuffer reply)
    {
        store.count(StoreCounter.CMD_META, 1);
        final RequestLine line = session.line();
        if (line.count() < 2 || line.length(KEY) > ItemStore.MAX_KEY_LENGTH)
        {
            reply.line(BAD_FORMAT);
            return;
        }
        if (line.count() > 2 && line.length(2) == 1 && line.at(2, 0) == 'b' && !flags.parse(line, 2))
        {
            reply.line(BAD_FORMAT);
            return;
        }
        final int item = find(line);
        if (item == ItemStore.NONE)
        {
            reply.line(MISS);
            return;
        }
        reply.bytes(DEBUG);
        writeKeyBytes(reply, key, 0, store.getKey(item, key), store.isBinaryKey(item));
        final int expiry = store.expiry(item);
        reply.line(" exp=" + (expiry == 0 ? -1 : store.now() - expiry) + " la=" + (store.now() - store.time(item)) +
            " cas=" + Long.toUnsignedString(store.cas(item)) + " fetch=" + (store.isFetched(item) ? "yes" : "no") +
            " cls=" + store.slabClass(item) + " size=" + store.size(item));
    }

    private void writeStatus(final ReplyBuffer reply, final int length)
    {
        if (flags.has('v'))
        {
            reply.bytes(VALUE);
            reply.number(length);
        }
        else
        {
            reply.bytes(DONE);
        }
    }

    /** Ends an answer without an item. Opaque and key are repeated from the request. */
    private void finishWithKey(final RequestLine line, final ReplyBuffer reply, final int start)
    {
        if (isOpaqueTooLong(line))
        {
            reply.truncate(start);
            reply.line(OPAQUE_TOO_LONG);
            return;
        }
        for (int i = 2; i < line.count(); i++)
        {
            if (line.at(i, 0) == 'O')
            {
                writeOpaque(line, i, reply);
            }
            else if (line.at(i, 0) == 'k')
            {
                writeKey(reply, line.bytes(), line.offset(KEY), line.length(KEY), flags.has('b'));
            }
        }
        reply.lineEnd();
    }

    private static boolean isOpaqueTooLong(final RequestLine line)
    {
        for (int i = 2; i < line.count(); i++)
        {
            if (line.at(i, 0) == 'O' && line.length(i) > MetaFlags.MAX_OPAQUE_LENGTH)
            {
                return true;
            }
        }
        return false;
    }

    private static void writeOpaque(final RequestLine line, final int token, final ReplyBuffer reply)
    {
        reply.character(' ');
        reply.bytes(line.bytes(), line.offset(token), line.length(token));
    }

    private static void writeFlag(final ReplyBuffer reply, final char flag)
    {
        reply.character(' ');
        reply.character(flag);
    }

    private static void writeFlag(final ReplyBuffer reply, final char flag, final long number)
    {
        writeFlag(reply, flag);
        reply.number(number);
    }

    private void writeTtl(final int item, final ReplyBuffer reply)
    {
        if (store.expiry(item) == 0)
        {
            writeFlag(reply, 't');
            reply.bytes(UNLIMITED);
        }
        else
        {
            writeFlag(reply, 't', Integer.toUnsignedLong(store.expiry(item) - store.now()));
        }
    }

    private static void writeKey(
        final ReplyBuffer reply, final byte[] bytes, final int offset, final int length, final boolean isBinary)
    {
        writeFlag(reply, 'k');
        writeKeyBytes(reply, bytes, offset, length, isBinary);
        if (isBinary)
        {
            writeFlag(reply, 'b');
        }
    }

    private static void writeKeyBytes(
        final ReplyBuffer reply, final byte[] bytes, final int offset, final int length, final boolean isBinary)
    {
        if (isBinary)
        {
            reply.bytes(Base64.getEncoder().encode(Arrays.copyOfRange(bytes, offset, offset + length)));
        }
        else
        {
            reply.bytes(bytes, offset, length);
        }
    }
}
