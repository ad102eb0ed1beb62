package org.fibnuma.pfc.dcqcn;

import org.fibnuma.pfc.ecn.EcnProfile;

/**
 * The parameters of DCQCN. Rates are in bits per second.
 *
 * @param g                  weight of one notification in alpha, above 0 and at most 1.
 * @param notificationNs     N: a receiver sends at most one notification for a flow in this time.
 * @param alphaTimerNs       K: alpha falls by one step after this time without a notification.
 * @param rateTimerNs        T: period of the timer that raises the rate.
 * @param byteCounter        B: the rate is also raised after this many bytes sent.
 * @param fastRecoveryStages F: raises that go halfway back to the rate before the cut.
 * @param additiveIncrease   Rai: rise of the target in a later stage.
 * @param hyperIncrease      Rhai: rise of the target when timer and byte counter have both passed F stages.
 * @param minRate            lowest rate, above 0.
 * @param marking            Kmin, Kmax and Pmax of the routers.
 */
public record DcqcnParameters(
    double g,
    long notificationNs,
    long alphaTimerNs,
    long rateTimerNs,
    long byteCounter,
    int fastRecoveryStages,
    double additiveIncrease,
    double hyperIncrease,
    double minRate,
    EcnProfile marking)
{
    private static final double MBPS = 1e6;
    private static final long MICROS = 1_000;

    /**
     * The paper's values (section 5). It gives no Rhai and no lowest rate: Rhai is ten times Rai as in QCN, the lowest
     * rate a quarter of Rai.
     */
    public static final DcqcnParameters PAPER = new DcqcnParameters(
        1.0 / 256, 50 * MICROS, 55 * MICROS, 55 * MICROS, 10_000_000, 5, 40 * MBPS, 400 * MBPS, 10 * MBPS,
        new EcnProfile(5_000, 200_000, 0.01));

    /** The values of the authors' simulator, ns3-rdma; its queue lengths are in packets of 1,030 bytes. */
    public static final DcqcnParameters NS3_RDMA = new DcqcnParameters(
        1.0 / 256, 50 * MICROS, 55 * MICROS, 60 * MICROS, 300_000_000, 5, 40 * MBPS, 200 * MBPS, 10 * MBPS,
        new EcnProfile(40 * 1_030, 1_000 * 1_030, 1));

    /** Checks the ranges. */
    public DcqcnParameters
    {
        require(g > 0 && g <= 1, "g");
        require(notificationNs > 0 && alphaTimerNs > 0 && rateTimerNs > 0, "a time");
        require(byteCounter > 0, "the byte counter");
        require(fastRecoveryStages > 0, "F");
        require(additiveIncrease > 0 && hyperIncrease > 0 && minRate > 0, "a rate");
    }

    private static void require(final boolean met, final String name)
    {
        if (!met)
        {
            throw new IllegalArgumentException("DCQCN: " + name + " is out of range");
        }
    }
}
