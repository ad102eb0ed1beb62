package org.fibnuma.fibnic.command;

import org.jline.terminal.Size;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;
import org.jline.utils.AttributedString;
import org.jline.utils.Curses;
import org.jline.utils.Display;
import org.jline.utils.InfoCmp.Capability;
import org.jline.utils.NonBlockingReader;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A terminal whose alternate screen is in use. {@link #close}, or a signal that ends this process, restores the user's
 * screen. For one thread.
 */
final class TopTerminal implements AutoCloseable
{
    /** Size of a terminal that does not report one. */
    private static final Size USUAL_SIZE = new Size(80, 24);
    /** Interval of the checks for a change of the size. */
    private static final long STEP_MS = 100;
    private static final int QUIT = 'q';
    private static final int SPACE = ' ';
    private static final int END_OF_TEXT = 3;

    private final Terminal terminal;
    private final Display display;
    private final String ending;
    private final Thread ender = new Thread(this::end, "terminal");
    private final AtomicBoolean ended = new AtomicBoolean();
    private final AtomicBoolean resized = new AtomicBoolean(true);
    private final AtomicBoolean interrupted = new AtomicBoolean();
    private Size size = USUAL_SIZE;
    private Screen screen;

    /** The contents of the terminal. */
    interface Screen
    {
        /** Returns the lines for a size of the terminal, at most {@code rows}. */
        List<AttributedString> lines(int columns, int rows);
    }

    private TopTerminal(final Terminal terminal)
    {
        this.terminal = terminal;
        display = new Display(terminal, true);
        ending = text(Capability.cursor_normal) + text(Capability.exit_ca_mode);
        terminal.handle(Terminal.Signal.WINCH, signal -> resized.set(true));
        terminal.handle(Terminal.Signal.INT, signal -> interrupted.set(true));
        terminal.enterRawMode();
        Runtime.getRuntime().addShutdownHook(ender);
        terminal.puts(Capability.enter_ca_mode);
        terminal.puts(Capability.cursor_invisible);
        terminal.flush();
    }

    /**
     * Opens the terminal of this process.
     *
     * @return the terminal, to be closed.
     * @throws IOException with one line for the user if input or output is no terminal, or one whose cursor cannot be
     *                     placed.
     */
    static TopTerminal open() throws IOException
    {
        final Terminal terminal;
        try
        {
            // By the programs stty and tty; without JLine's native libraries.
            terminal = TerminalBuilder.builder().system(true).provider("exec").dumb(false)
                .systemOutput(TerminalBuilder.SystemOutput.SysOut).build();
        }
        catch (final IOException | IllegalStateException ex)
        {
            throw noScreen("input and output are no terminal", ex);
        }
        if (terminal.getStringCapability(Capability.cursor_address) == null)
        {
            terminal.close();
            throw noScreen("the terminal (TERM=" + System.getenv("TERM") + ") cannot place its cursor", null);
        }
        return new TopTerminal(terminal);
    }

    private static IOException noScreen(final String why, final Exception cause)
    {
        return new IOException(
            why + ": use top --batch -n 1 for plain text, with --json for JSON, or show ports", cause);
    }

    /** Shows a screen, and shows it again in {@link #awaitTimeOrKey} when the size of the terminal changes. */
    void show(final Screen next)
    {
        screen = next;
        if (resized.getAndSet(false))
        {
            final Size now = terminal.getSize();
            size = now.getColumns() > 0 && now.getRows() > 0 ? now : USUAL_SIZE;
            display.clear();
            display.resize(size.getRows(), size.getColumns());
        }
        display.update(screen.lines(size.getColumns(), size.getRows()), 0);
    }

    /**
     * Waits until a time, or until the space bar is pressed.
     *
     * @param timeNs by {@link System#nanoTime()}.
     * @return false if the key to quit was pressed, or the terminal is gone.
     * @throws IOException if the terminal cannot be read.
     */
    boolean awaitTimeOrKey(final long timeNs) throws IOException
    {
        while (!interrupted.get())
        {
            final long waitMs = TimeUnit.NANOSECONDS.toMillis(timeNs - System.nanoTime());
            if (waitMs <= 0)
            {
                return true;
            }
            final int key = terminal.reader().read(Math.min(waitMs, STEP_MS));
            if (key == QUIT || key == END_OF_TEXT || key == NonBlockingReader.EOF)
            {
                return false;
            }
            if (key == SPACE)
            {
                return true;
            }
            if (resized.get())
            {
                show(screen);
            }
        }
        return false;
    }

    @Override
    public void close()
    {
        end();
        try
        {
            Runtime.getRuntime().removeShutdownHook(ender);
        }
        catch (final IllegalStateException ignore)
        {
            // The process is ending; the hook finds the terminal restored.
        }
    }

    /** Runs on the thread of the user or, after a signal, on a thread of its own. JLine may have closed its output. */
    private void end()
    {
        if (ended.compareAndSet(false, true))
        {
            System.out.print(ending);
            System.out.flush();
            try
            {
                terminal.close();
            }
            catch (final IOException ignore)
            {
                // The terminal is gone.
            }
        }
    }

    private String text(final Capability capability)
    {
        final String sequence = terminal.getStringCapability(capability);
        return sequence == null ? "" : Curses.tputs(sequence);
    }
}
