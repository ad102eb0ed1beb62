package org.fibnuma.pfc.policy;

/** Where a policy's pause frames go: out of the port whose sender is to stop. */
@FunctionalInterface
public interface PauseOutput
{
    /**
     * Sends one frame.
     *
     * @param classEnable bit n where the frame speaks of priority n.
     * @param quanta      of each of the 8 priorities; 0 ends a pause. To be read before this returns.
     * @param nowNs       monotonic time.
     * @return false where no frame could be sent: the policy tries again in {@link PausePolicy#onTime}.
     */
    boolean send(int classEnable, int[] quanta, long nowNs);
}
