package org.fibnuma.bench.fabric;

import java.io.IOException;

/** A figure or table of {@code fibnuma fabric evaluate}. */
interface Evaluation
{
    /** Measures all rows. */
    CsvTable measure() throws IOException, InterruptedException;

    /** Returns the number of measured plans whose proof failed, without those of the paper's own form. */
    default int unproved()
    {
        return 0;
    }

    /** Returns the plot of the measured table as SVG, or null if there is none. */
    default String plot(final CsvTable table)
    {
        return null;
    }
}
