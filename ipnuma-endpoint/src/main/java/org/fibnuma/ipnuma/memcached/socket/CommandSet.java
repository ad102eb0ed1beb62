package org.fibnuma.ipnuma.memcached.socket;

import org.fibnuma.ipnuma.memcached.protocol.RequestLine;
import org.fibnuma.ipnuma.memcached.store.ItemStore;

/** All commands of a server. The first token of a line selects the command. For the holder of the store's lock. */
final class CommandSet
{
    private static final byte[] ERROR = TextCommands.ascii("ERROR");
    private static final byte[] NO_OPERATION = TextCommands.ascii("MN");
    private static final byte[] STATS = TextCommands.ascii("stats");
    private static final int SHORTEST = 2;

    private final ItemStore store;
    private final TextCommands text;
    private final MetaCommands meta;
    private final StatsCommand stats;

    CommandSet(final ItemStore store, final StatsCommand stats)
    {
        this.store = store;
        this.text = new TextCommands(store);
        this.meta = new MetaCommands(store);
        this.stats = stats;
    }

    ItemStore store()
    {
        return store;
    }

    TextCommands text()
    {
        return text;
    }

    MetaCommands meta()
    {
        return meta;
    }

    /** Executes the line of a session, or the part of it before its data block. */
    void execute(final Session session, final ReplyBuffer reply)
    {
        final RequestLine line = session.line();
        if (line.count() == 0 || line.length(0) < SHORTEST)
        {
            reply.line(ERROR);
        }
        else if (line.at(0, 0) == 'm' && line.length(0) == SHORTEST)
        {
            executeMeta(session, reply);
        }
        else if (line.is(0, STATS))
        {
            stats.execute(session, reply);
        }
        else
        {
            text.execute(session, reply);
        }
    }

    private void executeMeta(final Session session, final ReplyBuffer reply)
    {
        switch (session.line().at(0, 1))
        {
            case 'g' -> meta.get(session, reply);
            case 's' -> meta.set(session, reply);
            case 'd' -> meta.delete(session, reply);
            case 'a' -> meta.arithmetic(session, reply);
            case 'e' -> meta.debug(session, reply);
            case 'n' -> reply.line(NO_OPERATION);
            default -> reply.line(ERROR);
        }
    }
}
