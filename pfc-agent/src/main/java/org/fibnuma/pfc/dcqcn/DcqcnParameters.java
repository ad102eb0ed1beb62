package org.fibnuma.pfc.dcqcn;

import org.fibnuma.pfc.ecn.EcnProfile;

/**
 * Everything that DCQCN can be set to. Rates are bits a second.
 *
 * @param g                   weight of one notification in alpha, above 0 and at most 1.
 * @param notificationNs      N: a receiver notifies at most once in this time for a flow.
 * @param alphaTimerNs        K: without a notification for so long, alpha falls by one step.
 * @param rateTimerNs         T: period of the timer that raises the rate.
 * @param byteCounter         B: bytes sent after which the rate is raised, whatever the timer says.
 * @param fastRecoveryStages  F: raises that only go back halfway to the rate before the cut.
 * @param additiveIncrease    Rai: what the target rises by in a stage after those.
 * @param hyperIncrease       Rhai: what it rises by when timer and bytes both have passed F stages.
 * @param minRate             below which no cut goes, above 0.
 * @param order               of the cut and the rise of alpha.
 * @param marking             Kmin, Kmax and Pmax of the routers.
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
    CutOrder order,
    EcnProfile marking)
{
    /** Megabits a second. */
    private static final double MBPS = 1e6;
    private static final long MICROS = 1_000;

    /**
     * The paper's, section 5. It gives no Rhai and no lowest rate: ten times Rai as in QCN, and a quarter of Rai.
     */
    public static final DcqcnParameters PAPER = new DcqcnParameters(
        1.0 / 256, 50 * MICROS, 55 * MICROS, 55 * MICROS, 10_000_000, 5, 40 * MBPS, 400 * MBPS, 10 * MBPS,
        CutOrder.CUT_FIRST, new EcnProfile(5_000, 200_000, 0.01));

    /** Those of the authors' simulator, ns3-rdma; its lengths are in packets of 1,030 bytes. */
    public static final DcqcnParameters NS3_RDMA = new DcqcnParameters(
        1.0 / 256, 50 * MICROS, 55 * MICROS, 60 * MICROS, 300_000_000, 5, 40 * MBPS, 200 * MBPS, 10 * MBPS,
        CutOrder.CUT_FIRST, new EcnProfile(40 * 1_030, 1_000 * 1_030, 1));

    /** Checks the ranges. */
    public DcqcnParameters
    {
        require(g > 0 && g <= 1, "g");
        require(notificationNs > 0 && alphaTimerNs > 0 && rateTimerNs > 0, "a time");
        require(byteCounter > 0, "the byte counter");
        require(fastRecoveryStages > 0, "F");
        require(additiveIncrease > 0 && hyperIncrease > 0 && minRate > 0, "a rate");
    }

    /**
     * The same with another order of cut and alpha.
     *
     * @param other order.
     * @return changed parameters.
     */
    public DcqcnParameters with(final CutOrder other)
    {
        return new DcqcnParameters(
            g, notificationNs, alphaTimerNs, rateTimerNs, byteCounter, fastRecoveryStages, additiveIncrease,
            hyperIncrease, minRate, other, marking);
    }

    private static void require(final boolean met, final String name)
    {
        if (!met)
        {
            throw new IllegalArgumentException("DCQCN: " + name + " is out of range");
        }
    }
}
