package org.fibnuma.pfc.simulator;

/**
 * Follows the inputs of a simulated switch, so that another user of the policies can be compared with the simulator on
 * the same arrivals. Calls are in the order of those to the input's policy. Inputs are 0 to N - 1, classes 0 to 2.
 * Times are those of the slot in nanoseconds.
 */
public interface InputObserver
{
    /** Begins a slot at an input. */
    void onSlot(int input, long nowNs);

    /** Handles a packet that has entered the queue of its class. */
    void onArrival(int input, int priority, long nowNs);

    /** Handles a packet that has left the queue of its class. */
    void onDeparture(int input, int priority, long nowNs);

    /**
     * Handles a pause frame of an input's policy. It precedes the call for the arrival or departure that caused it.
     *
     * @param classEnable bit n is set if the frame contains a time for class n.
     * @param quanta      times of the classes; valid only during the call.
     */
    void onPause(int input, int classEnable, int[] quanta, long nowNs);
}
