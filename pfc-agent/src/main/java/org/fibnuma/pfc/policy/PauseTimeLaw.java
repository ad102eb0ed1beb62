package org.fibnuma.pfc.policy;

import org.fibnuma.pfc.quanta.PauseQuanta;

/**
 * The pause time of C-DPTC: M. Hayasaka, S. Oshima, "A Study on Dynamic Pause Time Control Considering Traffic Priority
 * in Data Center Networks", equations (1) and (2):
 * <pre>
 *  Tpause = R * Pktdiff^2 * PktSizeave / (64 * (PktCntcur - PktCntsent))      in quanta
 *
 *  R           gain, set by the operator
 *  Pktdiff     threshold - target of the queue length, packets
 *  PktSizeave  bytes of a packet
 *  PktCnt      packets that have entered the queue: now, and when the last pause was sent
 * </pre>
 * With a size of one byte, packets are bytes and the law is exact for packets of any size. Changed: a counter
 * difference of 0 counts as 1, and the result is limited to the 65,535 quanta that a frame can contain.
 *
 * @param gain    R, above 0.
 * @param divisor the 64, or another reading of it.
 */
public record PauseTimeLaw(double gain, PauseTimeDivisor divisor)
{
    /** Section 4 of the paper: few control frames without a queue that runs empty. */
    public static final double DEFAULT_GAIN = 7;
    /** The paper's R with the printed divisor. */
    public static final PauseTimeLaw DEFAULT = new PauseTimeLaw(DEFAULT_GAIN, PauseTimeDivisor.PRINTED);

    /** Checks the gain. */
    public PauseTimeLaw
    {
        if (!(gain > 0) || Double.isInfinite(gain))
        {
            throw new IllegalArgumentException("gain " + gain + " is out of range; use a number above 0, such as 7");
        }
    }

    /**
     * Returns the length of a pause in quanta, 1 to 65,535: never 0, which would end the pause.
     *
     * @param pktDiff           Pktdiff.
     * @param pktSizeAve        PktSizeave in bytes; 1 if packets are counted in bytes.
     * @param counterDifference PktCntcur - PktCntsent.
     */
    public int quanta(final double pktDiff, final double pktSizeAve, final long counterDifference)
    {
        final double quanta =
            gain * pktDiff * pktDiff * pktSizeAve / (divisor.value() * (double)Math.max(1, counterDifference));
        return (int)Math.max(1, Math.min(PauseQuanta.MAX, quanta));
    }
}
