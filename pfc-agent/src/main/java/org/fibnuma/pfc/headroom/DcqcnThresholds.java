package org.fibnuma.pfc.headroom;

import org.fibnuma.pfc.wire.MacControl;

/**
 * Where PFC and ECN have to start on a switch with one shared memory, so that no frame is lost and ECN comes before
 * PFC: Y. Zhu et al., "Congestion Control for Large-Scale RDMA Deployments", SIGCOMM 2015, section 4. All 8 priorities
 * of all ports may be paused at once.
 *
 * @param bufferBytes B, the shared memory.
 * @param ports       n.
 * @param flightBytes t, the headroom of one priority of one port.
 */
public record DcqcnThresholds(long bufferBytes, int ports, double flightBytes)
{
    /** The paper's beta: each priority may take 8 times what is free. */
    public static final double DEFAULT_BETA = 8;

    /** Checks the ranges. */
    public DcqcnThresholds
    {
        if (bufferBytes <= 0 || ports <= 0 || flightBytes < 0)
        {
            throw new IllegalArgumentException("buffer and ports have to be above 0, and flight 0 or more");
        }
    }

    /**
     * The highest threshold of PFC that loses nothing: t_PFC &lt;= (B - 8 n t) / (8 n).
     *
     * @return bytes; 0 or less where the headroom alone does not fit.
     */
    public double pfc()
    {
        return (bufferBytes - queues() * flightBytes) / queues();
    }

    /**
     * Below this ECN marks before PFC stops, with thresholds of PFC that follow the free memory:
     * t_ECN &lt; beta (B - 8 n t) / (8 n (beta + 1)).
     *
     * @param beta share of the free memory that a priority may take, above 0.
     * @return bytes; 0 or less where the headroom alone does not fit.
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
