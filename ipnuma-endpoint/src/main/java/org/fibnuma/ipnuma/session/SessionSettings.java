package org.fibnuma.ipnuma.session;

import org.fibnuma.ipnuma.session.window.ReceiveWindow;
import org.fibnuma.ipnuma.session.window.SendWindow;
import org.fibnuma.ipnuma.session.window.SlotPool;
import org.fibnuma.pfc.dcqcn.DcqcnParameters;

import java.security.SecureRandom;
import java.util.random.RandomGenerator;

/** The settings of a session. Setters return this; a session reads its settings once, in its constructor. */
public final class SessionSettings
{
    private static final int MIN_DATAGRAM_LENGTH = 576;
    private static final int MAX_DATAGRAM_LENGTH = 8_972;

    private int epoch = 1;
    private RandomGenerator random = new SecureRandom();
    private Integer firstSequence;
    private int datagramLength = 1472;
    private SlotPool slots;
    private int sendWindow = 128;
    private int receiveWindow = 256;
    private long minTimeoutNs = 40_000;
    private long firstTimeoutNs = 1_000_000;
    private long maxTimeoutNs = 50_000_000;
    private int retryLimit = 60;
    private long ackDelayNs = 20_000;
    private long minHelloNs = 1_000_000;
    private long maxHelloNs = 1_000_000_000;
    private long keepaliveNs = 500_000_000;
    private long refusalIntervalNs = 100_000;
    private double lineRate = 10e9;
    private DcqcnParameters congestion = DcqcnParameters.PAPER;

    /**
     * Returns the number of this run of the endpoint, random at every start. A peer that receives a new epoch treats
     * the memory of this side as lost.
     */
    public int epoch()
    {
        return epoch;
    }

    /** Sets {@link #epoch()} and returns this. */
    public SessionSettings epoch(final int value)
    {
        epoch = value;
        return this;
    }

    /**
     * Returns the source of sessions, nonces, first sequences and the times of hellos, a {@link SecureRandom} by
     * default. A sender that can predict it can forge handshakes.
     */
    public RandomGenerator random()
    {
        return random;
    }

    /** Sets {@link #random()} and returns this. */
    public SessionSettings random(final RandomGenerator value)
    {
        random = value;
        return this;
    }

    /** Returns the sequence of the first datagram of data: the configured number, or a random one at each call. */
    public int firstSequence()
    {
        return firstSequence == null ? random.nextInt() : firstSequence;
    }

    /** Sets {@link #firstSequence()} and returns this. */
    public SessionSettings firstSequence(final int value)
    {
        firstSequence = value;
        return this;
    }

    /** Returns the longest UDP payload, 576 to 8,972 bytes. The default fits an MTU of 1,500 bytes. */
    public int datagramLength()
    {
        return datagramLength;
    }

    /** Sets {@link #datagramLength()} and returns this. */
    public SessionSettings datagramLength(final int value)
    {
        datagramLength = value;
        return this;
    }

    /**
     * Returns the pool of memory for datagrams, which the sessions of a thread share; null for a pool of this session.
     * Half of a shared pool is for sessions with a connection. Slots have at least {@link #datagramLength()} bytes.
     */
    public SlotPool slots()
    {
        return slots;
    }

    /** Sets {@link #slots()} and returns this. */
    public SessionSettings slots(final SlotPool value)
    {
        slots = value;
        return this;
    }

    /**
     * Returns the limit of datagrams that are sent and not acknowledged, 1 to 256, even if the peer gives more credits.
     * It is the bandwidth-delay product: 128 datagrams of 1,472 bytes are 10 Gbit/s over 150 us.
     */
    public int sendWindow()
    {
        return sendWindow;
    }

    /** Sets {@link #sendWindow()} and returns this. */
    public SessionSettings sendWindow(final int value)
    {
        sendWindow = value;
        return this;
    }

    /** Returns how many datagrams, 1 to 256, are accepted after the acknowledged ones: the credits of the peer. */
    public int receiveWindow()
    {
        return receiveWindow;
    }

    /** Sets {@link #receiveWindow()} and returns this. */
    public SessionSettings receiveWindow(final int value)
    {
        receiveWindow = value;
        return this;
    }

    /** Returns the lowest retransmission timeout, 1 us or more. The thesis (3.3.5) gives 3 to 40 us. */
    public long minTimeoutNs()
    {
        return minTimeoutNs;
    }

    /** Sets {@link #minTimeoutNs()} and returns this. */
    public SessionSettings minTimeoutNs(final long value)
    {
        minTimeoutNs = value;
        return this;
    }

    /** Returns the retransmission timeout before the first round-trip sample, 1 us or more. */
    public long firstTimeoutNs()
    {
        return firstTimeoutNs;
    }

    /** Sets {@link #firstTimeoutNs()} and returns this. */
    public SessionSettings firstTimeoutNs(final long value)
    {
        firstTimeoutNs = value;
        return this;
    }

    /** Returns the limit of the retransmission timeout, which is doubled at each expiry, 1 us or more. */
    public long maxTimeoutNs()
    {
        return maxTimeoutNs;
    }

    /** Sets {@link #maxTimeoutNs()} and returns this. */
    public SessionSettings maxTimeoutNs(final long value)
    {
        maxTimeoutNs = value;
        return this;
    }

    /**
     * Returns the number of successive timeouts without progress, 1 or more, after which the peer is down: about 2.5 s
     * with the other defaults.
     */
    public int retryLimit()
    {
        return retryLimit;
    }

    /** Sets {@link #retryLimit()} and returns this. */
    public SessionSettings retryLimit(final int value)
    {
        retryLimit = value;
        return this;
    }

    /** Returns the longest delay of an acknowledgement that could leave with data, 0 or more. */
    public long ackDelayNs()
    {
        return ackDelayNs;
    }

    /** Sets {@link #ackDelayNs()} and returns this. */
    public SessionSettings ackDelayNs(final long value)
    {
        ackDelayNs = value;
        return this;
    }

    /**
     * Returns the first interval between two hellos, 1 us or more, doubled with each hello. Each wait is a random part
     * of the interval, one half or more, so that hellos to many peers spread over time.
     */
    public long minHelloNs()
    {
        return minHelloNs;
    }

    /** Sets {@link #minHelloNs()} and returns this. */
    public SessionSettings minHelloNs(final long value)
    {
        minHelloNs = value;
        return this;
    }

    /** Returns the longest interval between two hellos, 1 us or more. */
    public long maxHelloNs()
    {
        return maxHelloNs;
    }

    /** Sets {@link #maxHelloNs()} and returns this. */
    public SessionSettings maxHelloNs(final long value)
    {
        maxHelloNs = value;
        return this;
    }

    /** Returns the time without a datagram after which the peer is probed, 1 us or more. */
    public long keepaliveNs()
    {
        return keepaliveNs;
    }

    /** Sets {@link #keepaliveNs()} and returns this. */
    public SessionSettings keepaliveNs(final long value)
    {
        keepaliveNs = value;
        return this;
    }

    /** Returns the shortest interval between two RESETs, and between two ERRORs, 1 us or more. */
    public long refusalIntervalNs()
    {
        return refusalIntervalNs;
    }

    /** Sets {@link #refusalIntervalNs()} and returns this. */
    public SessionSettings refusalIntervalNs(final long value)
    {
        refusalIntervalNs = value;
        return this;
    }

    /** Returns the rate of the sender without congestion in bits per second, at least DCQCN's lowest rate. */
    public double lineRate()
    {
        return lineRate;
    }

    /** Sets {@link #lineRate()} and returns this. */
    public SessionSettings lineRate(final double value)
    {
        lineRate = value;
        return this;
    }

    /** Returns the parameters of DCQCN. */
    public DcqcnParameters congestion()
    {
        return congestion;
    }

    /** Sets {@link #congestion()} and returns this. */
    public SessionSettings congestion(final DcqcnParameters value)
    {
        congestion = value;
        return this;
    }

    void validate()
    {
        require(datagramLength >= MIN_DATAGRAM_LENGTH && datagramLength <= MAX_DATAGRAM_LENGTH, "datagram length");
        require(slots == null || slots.stride() >= datagramLength, "datagram length for the slots of the pool");
        require(sendWindow >= 1 && sendWindow <= SendWindow.SLOTS, "send window");
        require(receiveWindow >= 1 && receiveWindow <= ReceiveWindow.SLOTS, "receive window");
        require(minTimeoutNs >= 1_000 && firstTimeoutNs >= minTimeoutNs && maxTimeoutNs >= firstTimeoutNs, "timeout");
        require(retryLimit >= 1, "retry limit");
        require(ackDelayNs >= 0, "acknowledgement delay");
        require(minHelloNs >= 1_000 && maxHelloNs >= minHelloNs, "time between hellos");
        require(keepaliveNs >= 1_000, "keepalive time");
        require(refusalIntervalNs >= 1_000, "time between refusals");
        require(lineRate >= congestion.minRate(), "line rate");
    }

    private static void require(final boolean met, final String name)
    {
        if (!met)
        {
            throw new IllegalArgumentException("session: " + name + " is out of range");
        }
    }
}
