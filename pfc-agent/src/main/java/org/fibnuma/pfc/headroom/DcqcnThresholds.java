package org.fibnuma.pfc.headroom;

import org.fibnuma.pfc.wire.MacControl;

/**
 * Thresholds of PFC and ECN on a switch with one shared memory, with which no frame is lost and ECN acts before PFC: Y.
 * Zhu et al., "Congestion Control for Large-Scale RDMA Deployments", SIGCOMM 2015, section 4. All 8 priorities of all
 * ports may be paused at once.
 *
 * @param bufferBytes B, the shared memory.
 * @param ports       n.
 * @param flightBytes t, the headroom of one priority of one port.
 */
public record DcqcnThresholds(long bufferBytes, int ports, double flightBytes)
{
    /** The paper's beta: each priority may use 8 times the free memory. */
    public static final double DEFAULT_BETA = 8;

    /** Checks the ranges. */
    public DcqcnThresholds
    {
        if (bufferBytes <= 0 || ports <= 0 || flightBytes < 0)
        {
            throw new IllegalArgumentException("buffer and ports must be above 0, flight 0 or more");
        }
    }

    /**
     * Returns the highest lossless PFC threshold in bytes: t_PFC &lt;= (B - 8 n t) / (8 n). It is 0 or less if the
     * headroom alone does not fit.
     */
    public double pfc()
    {
        return (bufferBytes - queues() * flightBytes) / queues();
    }

    /**
     * Returns a threshold in bytes: t_ECN &lt; beta (B - 8 n t) / (8 n (beta + 1)). Below it ECN marks before PFC
     * stops, if PFC thresholds follow the free memory. It is 0 or less if the headroom alone does not fit.
     *
     * @param beta factor of the free memory that a priority may use, above 0.
     */
    public double ecn(final double beta)
    {
        return beta * (bufferBytes - queues() * flightBytes) / (queues() * (beta + 1));
    }

    private double queues()
    {
        return (double)MacControl.PRIORITIES * ports;
    }
}
