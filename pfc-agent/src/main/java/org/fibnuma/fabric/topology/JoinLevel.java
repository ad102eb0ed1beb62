package org.fibnuma.fabric.topology;

/** The level at which two fat trees are joined: section 3.2 of the paper, figures 8, 11 and 14. */
public enum JoinLevel
{
    /** At the root switches, each with its counterpart: (k/2)^2 cables. */
    TOP,
    /** At the middle switches, one cable for each pair of groups: (k/2)^2 cables. */
    MIDDLE,
    /** At half of the switches with servers: (k/2)^2 cables. */
    BOTTOM,
    /** At the root switches except the last one: figure 9. */
    TOP_BUT_ONE
}
