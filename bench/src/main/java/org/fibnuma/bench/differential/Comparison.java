package org.fibnuma.bench.differential;

import java.util.Map;

/**
 * What left the two labs after the same packets.
 *
 * @param kernel  by the kernel alone.
 * @param router  with the router.
 * @param leftOut reason why they may differ, or null.
 */
record Comparison(Outcome kernel, Outcome router, OnPurpose leftOut)
{
    /** Returns whether there is no difference but one on purpose. */
    boolean isEqual()
    {
        return kernel.isEqualTo(router) ||
            leftOut == OnPurpose.MULTIPATH && kernel.isEqualBehindNextHop(router) ||
            leftOut == OnPurpose.OPTIONS && kernel.isEqualButErrors(router) ||
            leftOut == OnPurpose.SCOPED_SOURCE && (kernel.hasForwarded() || kernel.showsLink()) ||
            leftOut == OnPurpose.HOST && !kernel.hasForwarded() && !router.hasForwarded();
    }

    /** Returns the number of ICMP redirects, which are not compared. */
    int redirects()
    {
        return kernel.redirects() + router.redirects();
    }

    /** Returns a line for each frame that only one lab has, with its link. */
    String text()
    {
        final StringBuilder text = new StringBuilder();
        append("kernel only", kernel.frames(), router.frames(), text);
        append("router only", router.frames(), kernel.frames(), text);
        return text.toString();
    }

    private static void append(
        final String title, final Map<String, Integer> frames, final Map<String, Integer> others,
        final StringBuilder text)
    {
        frames.forEach((frame, number) ->
        {
            final int more = number - others.getOrDefault(frame, 0);
            if (more > 0)
            {
                text.append(title).append(": ").append(more == 1 ? "" : more + " times ").append("r").append(frame)
                    .append('\n');
            }
        });
    }
}
