package org.fibnuma.pfc.plot;

import java.awt.Color;

/** Colours of a plot. */
public enum PlotTheme
{
    /** Dark on white. */
    LIGHT(0xFFFFFF, 0x1F2328, 0xD0D7DE,
        0x1F77B4, 0xD62728, 0x2CA02C, 0xE36F00, 0x9467BD, 0x8C564B, 0x0E97A7, 0x6E6E6E, 0x8F8F10),
    /** Light on a dark grey, {@code #161b22}. */
    DARK(0x161B22, 0xE6EDF3, 0x373E47,
        0x58A6FF, 0xFF7B72, 0x56D364, 0xFFA657, 0xBC8CFF, 0xC9A18F, 0x39C5CF, 0xB1BAC4, 0xD2C94B);

    private final Color background;
    private final Color text;
    private final Color grid;
    private final Color[] series;

    PlotTheme(final int background, final int text, final int grid, final int... series)
    {
        this.background = new Color(background);
        this.text = new Color(text);
        this.grid = new Color(grid);
        this.series = new Color[series.length];
        for (int i = 0; i < series.length; i++)
        {
            this.series[i] = new Color(series[i]);
        }
    }

    Color background()
    {
        return background;
    }

    Color text()
    {
        return text;
    }

    Color grid()
    {
        return grid;
    }

    /** Returns the colour of a series by its number in the plot, from 0; after some they repeat. */
    Color series(final int index)
    {
        return series[index % series.length];
    }
}
