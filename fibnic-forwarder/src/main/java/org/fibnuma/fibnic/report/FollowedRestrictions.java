package org.fibnuma.fibnic.report;

import org.fibnuma.core.kernel.HostRestriction;

import java.util.List;

/**
 * The restrictions of the host for forwarded packets, by their effect on frames.
 *
 * @param bypassed restrictions that forwarded frames bypass.
 * @param followed restrictions that established connections have passed: their frames are forwarded, all others are
 *                 left to the kernel.
 * @param left     restrictions whose frames are left to the kernel, which applies them.
 */
public record FollowedRestrictions(
    List<HostRestriction> bypassed, List<HostRestriction> followed, List<HostRestriction> left)
{
    /** No restrictions. */
    public static final FollowedRestrictions NONE = new FollowedRestrictions(List.of(), List.of(), List.of());
}
