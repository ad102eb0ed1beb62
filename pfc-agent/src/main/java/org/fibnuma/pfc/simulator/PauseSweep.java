package org.fibnuma.pfc.simulator;

import org.fibnuma.pfc.plot.LinePlot;
import org.fibnuma.pfc.plot.PlotTheme;
import org.fibnuma.pfc.policy.PausePolicyKind;
import org.fibnuma.pfc.policy.PauseTimeDivisor;
import org.fibnuma.pfc.policy.PauseTimeLaw;
import org.fibnuma.pfc.policy.PauseUpkeep;
import org.fibnuma.pfc.quanta.PauseQuanta;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * Runs figures 4 and 5 of the paper that {@link PauseTimeLaw} cites. The same traffic runs under POOC, under C-DPTC
 * with gains 1 to 10 and each divisor, and under our own policy. Each policy runs as in the paper, and then as in the
 * router.
 */
public final class PauseSweep
{
    /** Highest gain of the figures. */
    public static final int MAX_GAIN = 10;

    /** Figure 4: "about 85 % fewer than POOC". */
    private static final double STATED_REDUCTION = 0.85;

    private final List<Row> rows;

    private PauseSweep(final List<Row> rows)
    {
        this.rows = rows;
    }

    /**
     * One run of the sweep.
     *
     * @param policy        name of the policy.
     * @param divisor       of C-DPTC, 0 for other policies.
     * @param gain          of C-DPTC, 0 for other policies.
     * @param fewerThanPooc control packets saved, as a fraction of those of POOC.
     * @param result        of the run with {@link PauseUpkeep#PAPER}.
     * @param router        result of the run with {@link PauseUpkeep#ROUTER}.
     */
    public record Row(
        String policy, int divisor, int gain, double fewerThanPooc, SimulationResult result, SimulationResult router)
    {
    }

    /** Runs all simulations of the figures one after the other. Policy, law and upkeep of the settings are replaced. */
    public static PauseSweep run(final SimulationSettings settings)
    {
        final List<Row> rows = new ArrayList<>();
        final SimulationSettings onOff = settings.with(PausePolicyKind.POOC, PauseTimeLaw.DEFAULT);
        final double onOffPackets = PauseSimulation.run(onOff.with(PauseUpkeep.PAPER)).controlPacketsPerPort();
        rows.add(row(onOff, 0, 0, onOffPackets));
        for (final PauseTimeDivisor divisor : PauseTimeDivisor.values())
        {
            for (int gain = 1; gain <= MAX_GAIN; gain++)
            {
                rows.add(row(
                    settings.with(PausePolicyKind.CDPTC, new PauseTimeLaw(gain, divisor)),
                    divisor.value(), gain, onOffPackets));
            }
        }
        rows.add(row(settings.with(PausePolicyKind.DRAIN, PauseTimeLaw.DEFAULT), 0, 0, onOffPackets));
        return new PauseSweep(rows);
    }

    private static Row row(
        final SimulationSettings settings, final int divisor, final int gain, final double onOffPackets)
    {
        final SimulationResult result = PauseSimulation.run(settings.with(PauseUpkeep.PAPER));
        return new Row(
            settings.policy().key(), divisor, gain,
            onOffPackets == 0 ? 0 : 1 - result.controlPacketsPerPort() / onOffPackets,
            result, PauseSimulation.run(settings.with(PauseUpkeep.ROUTER)));
    }

    /** {@return the runs: POOC, then C-DPTC by divisor and gain, then our own policy} */
    public List<Row> rows()
    {
        return List.copyOf(rows);
    }

    /** {@return figure 4 as CSV with a header line, with throughput and underflows, which the paper omits} */
    public String figure4Csv()
    {
        final StringBuilder csv = new StringBuilder(
            "policy,divisor,gain,controlPacketsPerPort,fewerThanPooc,throughput,lost,underflows," +
            "routerControlPacketsPerPort,routerThroughput,routerLost,routerUnderflows\n");
        for (final Row row : rows)
        {
            final SimulationResult result = row.result;
            csv.append(String.format(Locale.ROOT, "%s,%d,%d,%.3f,%.4f,%.5f,%d,%d,%.3f,%.5f,%d,%d\n",
                row.policy, row.divisor, row.gain, result.controlPacketsPerPort(), row.fewerThanPooc,
                result.throughput(), result.lost(), result.underflows(), row.router.controlPacketsPerPort(),
                row.router.throughput(), row.router.lost(), row.router.underflows()));
        }
        return csv.toString();
    }

    /** {@return figure 5 as CSV with a header line; times in quanta} */
    public String figure5Csv()
    {
        final StringBuilder csv = new StringBuilder(
            "policy,divisor,gain,minQuanta,meanQuanta,maxQuanta,routerMinQuanta,routerMeanQuanta,routerMaxQuanta\n");
        for (final Row row : rows)
        {
            final SimulationResult.PauseTimes times = row.result.pauseQuanta();
            final SimulationResult.PauseTimes router = row.router.pauseQuanta();
            csv.append(String.format(Locale.ROOT, "%s,%d,%d,%d,%.1f,%d,%d,%.1f,%d\n",
                row.policy, row.divisor, row.gain, times.min(), times.mean(), times.max(),
                router.min(), router.mean(), router.max()));
        }
        return csv.toString();
    }

    /** {@return figure 4 as an SVG plot with the paper's statements} */
    public String figure4Svg()
    {
        final double onOff = rows.get(0).result.controlPacketsPerPort();
        final LinePlot plot = new LinePlot(
            "Figure 4: control packets per port", "gain R of C-DPTC", "control packets per port")
            .line("POOC", ends(), level(onOff));
        for (final PauseTimeDivisor divisor : PauseTimeDivisor.values())
        {
            plot.line("C-DPTC /" + divisor.value(), gains(),
                column(divisor, row -> row.result.controlPacketsPerPort()));
        }
        final Row drain = rows.get(rows.size() - 1);
        return plot
            .line("drain (one frame for all)", ends(), level(drain.result.controlPacketsPerPort()))
            .line("C-DPTC /64 as in the router", gains(),
                column(PauseTimeDivisor.PRINTED, row -> row.router.controlPacketsPerPort()))
            .line("drain as in the router", ends(), level(drain.router.controlPacketsPerPort()))
            .statement("paper: 85 % fewer than POOC", ends(), level((1 - STATED_REDUCTION) * onOff))
            .vertical(PauseTimeLaw.DEFAULT_GAIN, "paper: R = 7")
            .toSvg(PlotTheme.LIGHT);
    }

    /** {@return figure 5 as an SVG plot with the paper's statements} */
    public String figure5Svg()
    {
        final LinePlot plot = new LinePlot(
            "Figure 5: largest and smallest pause time", "gain R of C-DPTC", "quanta")
            .statement("longest pause of a frame", ends(), level(PauseQuanta.MAX));
        for (final PauseTimeDivisor divisor : PauseTimeDivisor.values())
        {
            plot.line("largest, /" + divisor.value(), gains(), column(divisor, row -> row.result.pauseQuanta().max()))
                .line("smallest, /" + divisor.value(), gains(), column(divisor, row -> row.result.pauseQuanta().min()));
        }
        return plot
            .line("largest, /64 as in the router", gains(),
                column(PauseTimeDivisor.PRINTED, row -> row.router.pauseQuanta().max()))
            .line("smallest, /64 as in the router", gains(),
                column(PauseTimeDivisor.PRINTED, row -> row.router.pauseQuanta().min()))
            .vertical(PauseTimeLaw.DEFAULT_GAIN, "paper: R = 7; the smallest nears the largest as R grows")
            .toSvg(PlotTheme.LIGHT);
    }

    private double[] column(final PauseTimeDivisor divisor, final ToDoubleFunction<Row> value)
    {
        return rows.stream().filter(row -> row.divisor == divisor.value()).mapToDouble(value).toArray();
    }

    private static double[] gains()
    {
        return IntStream.rangeClosed(1, MAX_GAIN).asDoubleStream().toArray();
    }

    private static double[] ends()
    {
        return new double[]{1, MAX_GAIN};
    }

    private static double[] level(final double value)
    {
        return new double[]{value, value};
    }
}
