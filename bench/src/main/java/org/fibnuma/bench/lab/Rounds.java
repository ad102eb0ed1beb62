package org.fibnuma.bench.lab;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Figures that were measured in turn, one of each contestant in every round. The result of a contestant is the median
 * of its rounds. The ratio of two contestants is the median of the ratios of the rounds, since what slows one round
 * slows both of its figures.
 *
 * @param <K> names of the contestants.
 */
public final class Rounds<K>
{
    private final Map<K, List<Double>> values = new LinkedHashMap<>();

    /** Creates rounds without figures. */
    public Rounds()
    {
    }

    /**
     * Adds the figure of a contestant in the next round.
     *
     * @param contestant its name.
     * @param figure     positive, in a unit that is the same for all.
     */
    public void add(final K contestant, final double figure)
    {
        values.computeIfAbsent(contestant, key -> new ArrayList<>()).add(figure);
    }

    /** Returns the contestants in the order in which their first figures were added. */
    public Set<K> contestants()
    {
        return values.keySet();
    }

    /** Returns the figures of a contestant, one of each round; none if it was not measured. */
    public List<Double> of(final K contestant)
    {
        return values.getOrDefault(contestant, List.of());
    }

    /** Returns the figure of a contestant in the last round in which it was measured. */
    public double last(final K contestant)
    {
        return of(contestant).get(of(contestant).size() - 1);
    }

    /** Returns the median of the rounds of a contestant, or null if it was not measured. */
    public Double median(final K contestant)
    {
        return of(contestant).isEmpty() ? null : median(of(contestant));
    }

    /**
     * Returns the median of the ratios of the rounds in which both were measured.
     *
     * @param dividend contestant whose figures are divided.
     * @param divisor  the other contestant.
     * @return the ratio, or null without such a round.
     */
    public Double ratio(final K dividend, final K divisor)
    {
        final List<Double> ratios = new ArrayList<>();
        for (int round = 0; round < Math.min(of(dividend).size(), of(divisor).size()); round++)
        {
            ratios.add(of(dividend).get(round) / of(divisor).get(round));
        }
        return ratios.isEmpty() ? null : median(ratios);
    }

    /**
     * Returns the median of some values.
     *
     * @param values at least one, in any order.
     * @return the middle value, or the mean of the two middle ones of an even number of values.
     */
    public static double median(final Collection<Double> values)
    {
        final double[] sorted = values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        final int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    /**
     * Returns a figure as it is in a result.
     *
     * @param figure   or null, which stays null.
     * @param decimals number of digits after the point.
     */
    public static Double rounded(final Double figure, final int decimals)
    {
        final double unit = Math.pow(10, decimals);
        return figure == null ? null : Math.round(figure * unit) / unit;
    }

    /** Returns figures as {@link #rounded(Double, int)} returns each. */
    public static List<Double> rounded(final List<Double> figures, final int decimals)
    {
        return figures.stream().map(figure -> rounded(figure, decimals)).toList();
    }
}
