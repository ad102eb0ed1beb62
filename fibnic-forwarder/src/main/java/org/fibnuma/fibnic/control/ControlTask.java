package org.fibnuma.fibnic.control;

/** Something that others want done on the control thread. */
interface ControlTask
{
    /**
     * Does a part that takes no longer than a few ms, so that changes of the network are not kept waiting.
     *
     * @return true when it is done.
     */
    boolean step();
}
