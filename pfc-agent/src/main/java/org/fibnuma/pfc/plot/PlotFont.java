package org.fibnuma.pfc.plot;

import org.fibnuma.core.UserException;

import java.awt.Font;
import java.awt.font.FontRenderContext;

/** The font of plots, which the host has. */
public final class PlotFont
{
    static
    {
        // A host without a screen may still have DISPLAY set.
        System.setProperty("java.awt.headless", "true");
    }

    private PlotFont()
    {
    }

    /**
     * Checks that there is one, before something is measured that is to be plotted.
     *
     * @throws UserException with one line for the user if there is none.
     */
    public static void require()
    {
        try
        {
            of(Font.PLAIN, 1).getLineMetrics("0", new FontRenderContext(null, true, true));
        }
        catch (final InternalError | NoClassDefFoundError | RuntimeException ex)
        {
            // Java 17 throws an error, Java 25 an exception.
            throw new UserException("plots need a font: apt-get install fontconfig fonts-dejavu-core", ex);
        }
    }

    static Font of(final int style, final int size)
    {
        return new Font(Font.SANS_SERIF, style, size);
    }
}
