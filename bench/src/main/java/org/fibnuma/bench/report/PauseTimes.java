package org.fibnuma.bench.report;

import org.fibnuma.pfc.policy.PauseTimeDivisor;
import org.fibnuma.pfc.simulator.PauseSweep;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** The paper on pause times. */
final class PauseTimes
{
    private static final double STATED_REDUCTION = 0.85;
    private static final int STATED_GAIN = 7;
    private static final double LONGEST = 65_535;
    private static final String READINGS = "The paper does not define traffic and arbitration; here bursts of 8 " +
        "packets on average, and the heads of all queues compete. Its equations can be read in three ways, which " +
        "differ in the divisor: 64 as printed, 16 with the 4 of equation (1), 128 with sizes in bytes. ";

    private PauseTimes()
    {
    }

    static List<Figure> figures(final CommandLines commands)
    {
        final List<String> command = commands.pauseSweep();
        final String[] gains =
            IntStream.rangeClosed(1, PauseSweep.MAX_GAIN).mapToObj(Integer::toString).toArray(String[]::new);
        return List.of(
            new Figure("pause-4", "Figure 4: control packets a port", Figure.Shape.LINES, "control packets a port")
                .columns("gain R", gains)
                .measured(List.of(command), results -> packets(Rows.of(results.result(command).path("rows"))))
                .differs(READINGS + "The paper has this figure as a drawing; its text has no counts."),
            new Figure("pause-4-reduction", "Figure 4: control packets saved at R = 7", Figure.Shape.BARS, "% of POOC")
                .columns("", "fewer than POOC")
                .paper("C-DPTC", 100 * STATED_REDUCTION)
                .measured(List.of(command), results -> reductions(Rows.of(results.result(command).path("rows"))))
                .differs(READINGS + "The paper says about 85 %, which is between our readings."),
            new Figure("pause-5", "Figure 5: longest and shortest pause", Figure.Shape.LINES, "quanta of 512 bit times")
                .columns("gain R", gains)
                .paper("longest pause of a frame", level(LONGEST))
                .measured(List.of(command), results -> times(Rows.of(results.result(command).path("rows"))))
                .differs(READINGS + "The paper's text has no times. It says that the shortest nears the longest as " +
                    "R grows."));
    }

    private static List<Series> packets(final Rows rows)
    {
        final List<Series> series = new ArrayList<>();
        series.add(new Series("POOC",
            level(rows.where("policy", "pooc").number("/result/controlPacketsPerPort"))));
        for (final PauseTimeDivisor divisor : PauseTimeDivisor.values())
        {
            series.add(new Series("C-DPTC, divisor " + divisor.value(),
                byGain(rows, divisor, "/result/controlPacketsPerPort")));
        }
        series.add(new Series("drain, a policy of Fibnuma",
            level(rows.where("policy", "drain").number("/result/controlPacketsPerPort"))));
        return series;
    }

    private static List<Series> reductions(final Rows rows)
    {
        final List<Series> series = new ArrayList<>();
        for (final PauseTimeDivisor divisor : PauseTimeDivisor.values())
        {
            series.add(new Series("C-DPTC, divisor " + divisor.value(), 100 *
                rows.where("divisor", divisor.value()).where("gain", STATED_GAIN).number("/fewerThanPooc")));
        }
        series.add(new Series(
            "drain, a policy of Fibnuma", 100 * rows.where("policy", "drain").number("/fewerThanPooc")));
        return series;
    }

    private static List<Series> times(final Rows rows)
    {
        final List<Series> series = new ArrayList<>();
        for (final PauseTimeDivisor divisor : PauseTimeDivisor.values())
        {
            series.add(new Series("longest, divisor " + divisor.value(),
                byGain(rows, divisor, "/result/pauseQuanta/max")));
            series.add(new Series("shortest, divisor " + divisor.value(),
                byGain(rows, divisor, "/result/pauseQuanta/min")));
        }
        return series;
    }

    private static double[] byGain(final Rows rows, final PauseTimeDivisor divisor, final String pointer)
    {
        return rows.where("divisor", divisor.value()).numbers(pointer);
    }

    private static double[] level(final double value)
    {
        final double[] values = new double[PauseSweep.MAX_GAIN];
        Arrays.fill(values, value);
        return values;
    }
}
