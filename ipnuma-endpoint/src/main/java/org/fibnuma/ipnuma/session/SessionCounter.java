package org.fibnuma.ipnuma.session;

/** Counters of a session. */
public enum SessionCounter
{
    /** Datagrams sent, of every kind. */
    SENT("sent"),
    /** Datagrams of data sent for the first time. */
    DATA_SENT("data-sent"),
    /** Datagrams of data sent again because the peer did not receive them. */
    REPAIRED("repaired"),
    /** Retransmission timeouts. */
    TIMEOUTS("timeouts"),
    /** Datagrams of data sent again, each the last one, to find out whether it arrived. */
    TAIL_PROBES("tail-probes"),
    /** Acknowledgements sent without data. */
    ACKS_SENT("acks-sent"),
    /** Acknowledgements sent at a gap. */
    NAKS_SENT("naks-sent"),
    /** Datagrams received for the connection. */
    RECEIVED("received"),
    /** Datagrams of data that had arrived before. */
    DUPLICATES("duplicates"),
    /** Datagrams of data that arrived out of order. */
    OUT_OF_ORDER("out-of-order"),
    /** Datagrams of data beyond the credits, dropped. */
    BEYOND_CREDITS("beyond-credits"),
    /** Datagrams that are no fibnuma datagrams or are corrupt, dropped. */
    DAMAGED("damaged"),
    /** Of these, datagrams of another version of the format. */
    OTHER_VERSION("other-version"),
    /** Datagrams of another session or epoch, dropped. */
    STRAY("stray"),
    /** Intact datagrams with a TLP that their kind does not allow. These and those of the next three have no effect. */
    MALFORMED("malformed"),
    /** Intact datagrams whose header has another number or length of TLPs. */
    WRONG_TLP_COUNT("wrong-tlp-count"),
    /** Intact datagrams with a request that crosses a boundary of 4 KiB. */
    CROSSES_BOUNDARY("crosses-4-kib"),
    /** Intact datagrams with a request to a region that is not the region of their header. */
    OTHER_REGION("other-region"),
    /** Datagrams dropped: requests without room for their answers, or early ones without memory. */
    NO_ROOM("no-room"),
    /** Sessions refused. */
    RESETS_SENT("resets-sent"),
    /** Hellos answered. */
    HELLOS_ANSWERED("hellos-answered"),
    /** Writes that the regions refused. */
    REFUSED("refused"),
    /** Writes and lists of writes sent without a datagram, in memory that both ends share. */
    DIRECT_SENT("direct-sent"),
    /** Writes and lists of writes received without a datagram. */
    DIRECT_RECEIVED("direct-received"),
    /** Datagrams received with congestion experienced. */
    CE_RECEIVED("ce-received"),
    /** Congestion echoes sent. */
    CE_ECHOES_SENT("ce-echoes-sent"),
    /** Congestion echoes that reduced the rate of this sender. */
    CE_ECHOES_RECEIVED("ce-echoes-received"),
    /** Connections established. */
    CONNECTIONS("connections"),
    /** Writes that were pending when a connection was lost. */
    WRITES_LOST("writes-lost");

    private final String label;

    SessionCounter(final String label)
    {
        this.label = label;
    }

    /** Returns the label for output and JSON, lower case with hyphens. */
    public String label()
    {
        return label;
    }

    static final class Counts
    {
        private final long[] counts = new long[values().length];

        void add(final SessionCounter counter)
        {
            counts[counter.ordinal()]++;
        }

        void add(final SessionCounter counter, final long amount)
        {
            counts[counter.ordinal()] += amount;
        }

        long get(final SessionCounter counter)
        {
            return counts[counter.ordinal()];
        }
    }
}
