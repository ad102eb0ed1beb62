package org.fibnuma.fabric.topology;

/** Where two fat trees are joined: section 3.2 of the paper, figures 8, 11 and 14. */
public enum JoinLevel
{
    /** At the root switches, one with its like: (k/2)^2 cables. */
    TOP,
    /** At the middle switches, one cable for each group of one tree and each group of the other: (k/2)^2 cables. */
    MIDDLE,
    /** At half of the switches that have servers: (k/2)^2 cables. */
    BOTTOM,
    /** At the root switches but the last, where the cable is missing: figure 9. */
    TOP_BUT_ONE
}
