package org.fibnuma.bench.report;

/** The papers whose figures the report has. */
enum Paper
{
    THESIS("thesis", "The thesis on IP-NUMA and FIBNIC"),
    PAUSE_TIME("pause", "A Study on Dynamic Pause Time Control Considering Traffic Priority in Data Center Networks " +
        "(Hayasaka, Oshima)"),
    TURN_ADDITION("turns", "Proposal of a Deadlock Avoidance Routing Method to Improve Traffic Balance and Its " +
        "Evaluation in Cluster Networks (Nakashima, Naruse, Sumimoto, Kumon)"),
    DCQCN("dcqcn", "Overview of Data Center Quantized Congestion Notification");

    private final String prefix;
    private final String title;

    Paper(final String prefix, final String title)
    {
        this.prefix = prefix;
        this.title = title;
    }

    /** Returns the paper of a figure by the first part of the figure's id. */
    static Paper of(final String id)
    {
        for (final Paper paper : values())
        {
            if (id.startsWith(paper.prefix + "-"))
            {
                return paper;
            }
        }
        throw new IllegalArgumentException("no paper has a figure " + id);
    }

    String title()
    {
        return title;
    }
}
