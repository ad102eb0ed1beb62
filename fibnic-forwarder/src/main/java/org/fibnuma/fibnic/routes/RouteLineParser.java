package org.fibnuma.fibnic.routes;

/**
 * Splits the lines of a route file and passes their routes to a consumer.
 * <p>
 * A line is {@code prefix [next-hop]}, or the fields that {@code bgpdump -m} prints, divided by {@code |}. Field 3 is
 * the kind (B table entry, A announcement, W withdrawal), 4 the peer, 6 the prefix and 9 the next hop.
 */
final class RouteLineParser
{
    private static final int KIND_FIELD = 2;
    private static final int PEER_FIELD = 3;
    private static final int PREFIX_FIELD = 5;
    private static final int NEXT_HOP_FIELD = 8;
    private static final int LAST_FIELD = NEXT_HOP_FIELD;

    private final String peer;
    private final RouteLineConsumer routes;
    private final int[] ends = new int[LAST_FIELD + 1];

    /** The peer is null to parse the lines of all peers. */
    RouteLineParser(final String peer, final RouteLineConsumer routes)
    {
        this.peer = peer;
        this.routes = routes;
    }

    /**
     * Parses a line; comments and empty lines are skipped.
     *
     * @throws IllegalArgumentException with what is wrong with the line.
     */
    void parse(final String line)
    {
        if (line.isBlank() || line.charAt(0) == '#')
        {
            return;
        }
        if (line.indexOf('|') >= 0)
        {
            parseDump(line);
        }
        else
        {
            parsePlain(line.strip());
        }
    }

    private void parsePlain(final String line)
    {
        int end = 0;
        while (end < line.length() && !Character.isWhitespace(line.charAt(end)))
        {
            end++;
        }
        routes.announce(line.substring(0, end), line.substring(end).strip());
    }

    private void parseDump(final String line)
    {
        final int fields = split(line);
        final String kind = fields > KIND_FIELD ? field(line, KIND_FIELD) : "";
        if ("STATE".equals(kind))
        {
            return;
        }
        if (fields <= PREFIX_FIELD)
        {
            throw new IllegalArgumentException("a bgpdump -m line has 6 fields or more, this one has " + fields);
        }
        if (peer != null && !peer.equals(field(line, PEER_FIELD)))
        {
            routes.skipPeer();
            return;
        }
        switch (kind)
        {
            case "A", "B" ->
                routes.announce(field(line, PREFIX_FIELD), fields > NEXT_HOP_FIELD ? field(line, NEXT_HOP_FIELD) : "");
            case "W" -> routes.withdraw(field(line, PREFIX_FIELD));
            default -> throw new IllegalArgumentException("kind \"" + kind + "\" is none of A, B, W and STATE");
        }
    }

    private int split(final String line)
    {
        int fields = 0;
        int start = 0;
        while (fields <= LAST_FIELD && start <= line.length())
        {
            final int bar = line.indexOf('|', start);
            ends[fields] = bar < 0 ? line.length() : bar;
            start = ends[fields] + 1;
            fields++;
        }
        return fields;
    }

    private String field(final String line, final int index)
    {
        return line.substring(index == 0 ? 0 : ends[index - 1] + 1, ends[index]);
    }
}
