package org.fibnuma.bench.report;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** A figure or table of a paper: the paper's values, and how ours are measured. Fluent. */
final class Figure
{
    private final String id;
    private final String title;
    private final Shape shape;
    private final String unit;
    private final List<Series> paper = new ArrayList<>();
    private String columnsLabel = "";
    private List<String> columns = List.of();
    private List<List<String>> commands = List.of();
    private Function<Measurements, List<Series>> ours;
    private String differs = "";

    /** How a figure is drawn. A table is part of each. */
    enum Shape
    {
        /** The table alone. */
        TABLE,
        /** A line for each series; the columns are numbers. */
        LINES,
        /** A group of bars for each column. */
        BARS,
        /** A bar for each series, in which the columns are stacked. */
        STACKED
    }

    /**
     * Creates a figure without values.
     *
     * @param id    by which it is selected: name of the {@link Paper} and number.
     * @param title number and subject.
     * @param shape in which it is drawn.
     * @param unit  of the values.
     */
    Figure(final String id, final String title, final Shape shape, final String unit)
    {
        this.id = id;
        this.title = title;
        this.shape = shape;
        this.unit = unit;
    }

    /** Sets what the columns are, and their names. */
    Figure columns(final String label, final String... names)
    {
        columnsLabel = label;
        columns = List.of(names);
        return this;
    }

    /** Adds values of the paper, one for each column; NaN for none. */
    Figure paper(final String name, final double... values)
    {
        paper.add(new Series(name, values));
        return this;
    }

    /** Sets the commands, words without the launcher, and how their results become values, one for each column. */
    Figure measured(final List<List<String>> by, final Function<Measurements, List<Series>> values)
    {
        commands = by;
        ours = values;
        return this;
    }

    /** Sets what differs from the paper, and why. */
    Figure differs(final String text)
    {
        differs = text;
        return this;
    }

    String id()
    {
        return id;
    }

    String title()
    {
        return title;
    }

    Shape shape()
    {
        return shape;
    }

    String unit()
    {
        return unit;
    }

    String columnsLabel()
    {
        return columnsLabel;
    }

    List<String> columns()
    {
        return columns;
    }

    List<Series> paper()
    {
        return paper;
    }

    List<List<String>> commands()
    {
        return commands;
    }

    String differs()
    {
        return differs;
    }

    /** Returns the measured values. */
    List<Series> ours(final Measurements measurements)
    {
        return ours.apply(measurements);
    }
}
