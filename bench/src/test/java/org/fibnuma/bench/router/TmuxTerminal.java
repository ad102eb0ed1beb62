package org.fibnuma.bench.router;

import org.fibnuma.core.Await;
import org.fibnuma.core.service.netns.Host;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** A terminal with a shell in it, made by tmux, whose screen can be read. */
final class TmuxTerminal implements AutoCloseable
{

    private final Host host;
    private final Path socket;

    /**
     * Starts a shell in a terminal.
     *
     * @param host      in whose namespaces it runs.
     * @param directory for the socket of tmux.
     * @param columns   of the terminal.
     * @param rows      of the terminal.
     */
    TmuxTerminal(final Host host, final Path directory, final int columns, final int rows)
    {
        this.host = host;
        socket = directory.resolve("tmux");
        tmux("-f", "/dev/null", "new-session", "-d", "-x", Integer.toString(columns), "-y", Integer.toString(rows),
            "env", "PS1=% ", "/bin/sh");
    }

    private String tmux(final String... arguments)
    {
        final List<String> command = new ArrayList<>(List.of("tmux", "-S", socket.toString()));
        command.addAll(List.of(arguments));
        return host.run(command.toArray(new String[0]));
    }

    /** Types a text. */
    void type(final String text)
    {
        tmux("send-keys", "-l", text);
    }

    /** Types a command and the return key. */
    void command(final String line)
    {
        type(line);
        tmux("send-keys", "Enter");
    }

    void resize(final int columns, final int rows)
    {
        tmux("resize-window", "-x", Integer.toString(columns), "-y", Integer.toString(rows));
    }

    /** Returns whether a program shows a screen of its own and has hidden the cursor. */
    boolean isFullScreen()
    {
        return tmux("display-message", "-p", "#{alternate_on} #{cursor_flag}").strip().equals("1 0");
    }

    /** Returns whether the screen of the shell and its cursor are shown. */
    boolean isOfShell()
    {
        return tmux("display-message", "-p", "#{alternate_on} #{cursor_flag}").strip().equals("0 1");
    }

    /** Returns what the terminal shows. */
    String screen()
    {
        return tmux("capture-pane", "-p");
    }

    /** Waits until the terminal shows something. */
    String await(final String what, final Predicate<String> condition)
    {
        final String[] screen = new String[1];
        Await.until(() -> what + "; the terminal shows\n" + screen[0], () ->
        {
            screen[0] = screen();
            return condition.test(screen[0]);
        });
        return screen[0];
    }

    @Override
    public void close()
    {
        tmux("kill-server");
    }
}
