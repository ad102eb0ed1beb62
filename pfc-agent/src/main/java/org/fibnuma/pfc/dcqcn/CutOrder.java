package org.fibnuma.pfc.dcqcn;

/** What comes first when a notification arrives; both are published. */
public enum CutOrder
{
    /** The rate is cut with alpha as it was, then alpha rises: figure 7 and equation (1) of the paper. */
    CUT_FIRST,
    /** Alpha rises, then the rate is cut with it, as in implementations that treat both as one step. */
    ALPHA_FIRST
}
