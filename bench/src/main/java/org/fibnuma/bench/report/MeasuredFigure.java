package org.fibnuma.bench.report;

import org.fibnuma.core.UserException;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A figure with our values.
 *
 * @param figure  of the paper.
 * @param ours    our values; none if it could not be measured.
 * @param seconds that its commands took.
 * @param leftOut what the commands left out here, with the reasons.
 * @param missing why there are no values of ours, or null.
 */
record MeasuredFigure(Figure figure, List<Series> ours, double seconds, List<String> leftOut, String missing)
{
    /** Measures a figure. A failure becomes the reason why its values are missing. */
    static MeasuredFigure of(final Figure figure, final Measurements measurements)
    {
        String missing = null;
        List<Series> ours = List.of();
        try
        {
            ours = figure.ours(measurements).stream().filter(series -> !series.isEmpty()).toList();
            missing = ours.isEmpty() ? "the command has no such result on this machine" : null;
        }
        catch (final UserException ex)
        {
            if (Thread.currentThread().isInterrupted())
            {
                throw ex;
            }
            missing = ex.getMessage();
        }
        return new MeasuredFigure(figure, ours, measurements.seconds(figure.commands()),
            measurements.leftOut(figure.commands()), missing);
    }

    /** Returns whether there is a plot, which needs values. */
    boolean isDrawn()
    {
        return figure.shape() != Figure.Shape.TABLE && !(ours.isEmpty() && figure.paper().isEmpty());
    }

    /** Returns the commands as a user enters them. */
    List<String> commands()
    {
        return figure.commands().stream().map(MeasuredFigure::line).toList();
    }

    private static String line(final List<String> command)
    {
        return "./fibnuma " + command.stream()
            .map(word -> word.matches("[\\w./,:=%-]+") ? word : "'" + word.replace("'", "'\\''") + "'")
            .collect(Collectors.joining(" "));
    }

    /** Returns the fields of the figure for JSON. */
    Map<String, Object> toMap()
    {
        final Map<String, Object> map = new LinkedHashMap<>();
        map.put("id", figure.id());
        map.put("title", figure.title());
        map.put("unit", figure.unit());
        map.put("columnsOf", figure.columnsLabel());
        map.put("columns", figure.columns());
        map.put("paper", figure.paper().stream().map(Series::toMap).toList());
        map.put("ours", ours.stream().map(Series::toMap).toList());
        map.put("command", String.join("; ", commands()));
        map.put("seconds", seconds);
        map.put("differs", figure.differs());
        if (!leftOut.isEmpty())
        {
            map.put("leftOut", leftOut);
        }
        if (missing != null)
        {
            map.put("missing", missing);
        }
        return map;
    }
}
