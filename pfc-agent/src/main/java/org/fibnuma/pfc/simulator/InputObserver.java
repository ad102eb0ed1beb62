package org.fibnuma.pfc.simulator;

/**
 * Follows the inputs of a simulated switch, so that another user of the policies can be compared with the simulator on
 * the same arrivals. Calls are in the order in which the input's policy gets them.
 */
public interface InputObserver
{
    /** Begins a slot at an input, 0 to N - 1. */
    void onSlot(int input, long nowNs);

    /** Handles a packet of a class, 0 to 2, that has entered its queue. */
    void onArrival(int input, int priority, long nowNs);

    /** Handles a packet that has left its queue. */
    void onDeparture(int input, int priority, long nowNs);

    /**
     * Handles a pause frame of an input's policy. It precedes the call for the arrival or departure that caused it.
     *
     * @param input       0 to N - 1.
     * @param classEnable bit n is set if the frame contains a time for class n.
     * @param quanta      times of the classes; valid only during the call.
     * @param nowNs       time of the slot.
     */
    void onPause(int input, int classEnable, int[] quanta, long nowNs);
}
