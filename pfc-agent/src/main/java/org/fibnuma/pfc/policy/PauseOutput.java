package org.fibnuma.pfc.policy;

/** Sends the pause frames of a policy through the port whose peer is to stop. */
@FunctionalInterface
public interface PauseOutput
{
    /**
     * Sends one frame.
     *
     * @param classEnable bit n is set if the frame contains a time for priority n.
     * @param quanta      times of the 8 priorities; 0 ends a pause. Valid only during the call.
     * @param nowNs       monotonic time.
     * @return false if the frame could not be sent; the policy then tries again in {@link PausePolicy#onTime}.
     */
    boolean send(int classEnable, int[] quanta, long nowNs);
}
