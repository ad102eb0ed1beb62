package org.fibnuma.fibnic.page;

import com.fasterxml.jackson.databind.JsonNode;
import org.fibnuma.core.service.http.HttpAnswer;
import org.fibnuma.core.service.http.HttpQuery;
import org.fibnuma.core.service.http.HttpResource;
import org.fibnuma.core.wire.IpAddress;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Answers where an address leads, with the JSON of {@code lookup}. The control thread looks up all addresses that wait
 * in one task, so that clients cannot fill its queue. Server's thread, except the look-up.
 */
public final class RouteSearch implements HttpResource
{
    /** Name of the parameter with the address. */
    public static final String ADDRESS = "address";

    private static final int OK = 200;
    private static final int BAD_REQUEST = 400;
    private static final int UNAVAILABLE = 503;

    /** Characters in the longest notation of an IPv6 address, with an IPv4 address at its end. */
    private static final int LONGEST_ADDRESS = 45;

    private final Function<IpAddress, JsonNode> lookup;
    private final Predicate<Runnable> control;
    private final Executor thread;
    private List<Search> waiting = new ArrayList<>();
    private boolean isLookingUp;

    private record Search(IpAddress address, Consumer<HttpAnswer> answer)
    {
    }

    private record Found(Search search, HttpAnswer answer)
    {
    }

    /**
     * Creates the search of a router.
     *
     * @param lookup  on the control thread; an IllegalArgumentException has the line why it cannot be looked up.
     * @param control runs a task on the control thread; returns false if it cannot.
     * @param thread  of the server.
     */
    public RouteSearch(
        final Function<IpAddress, JsonNode> lookup, final Predicate<Runnable> control, final Executor thread)
    {
        this.lookup = lookup;
        this.control = control;
        this.thread = thread;
    }

    @Override
    public void get(final HttpQuery query, final Consumer<HttpAnswer> answer)
    {
        final String text = query.parameter(ADDRESS).strip();
        final IpAddress address = parse(text);
        if (text.isEmpty())
        {
            answer.accept(HttpAnswer.line(BAD_REQUEST, "give an IPv4 or IPv6 address: /lookup?address=192.0.2.1"));
        }
        else if (address == null)
        {
            answer.accept(HttpAnswer.line(BAD_REQUEST,
                quoted(text) + " is not an IP address; give one such as 192.0.2.1 or 2001:db8::1"));
        }
        else
        {
            waiting.add(new Search(address, answer));
            lookUp();
        }
    }

    /** Returns null for a text that is not an address. */
    private static IpAddress parse(final String text)
    {
        if (text.length() > LONGEST_ADDRESS)
        {
            return null;
        }
        try
        {
            return IpAddress.parse(text);
        }
        catch (final IllegalArgumentException ignore)
        {
            return null;
        }
    }

    /** On one line, with characters that a terminal can show. */
    private static String quoted(final String text)
    {
        final boolean isLong = text.length() > LONGEST_ADDRESS;
        final String start = isLong ? text.substring(0, LONGEST_ADDRESS) + "..." : text;
        return "\"" + start.replaceAll("[^ -~]", "?") + "\"";
    }

    private void lookUp()
    {
        if (isLookingUp || waiting.isEmpty())
        {
            return;
        }
        final List<Search> searches = waiting;
        waiting = new ArrayList<>();
        isLookingUp = control.test(() -> lookUp(searches));
        if (!isLookingUp)
        {
            searches.forEach(search -> search.answer.accept(
                HttpAnswer.line(UNAVAILABLE, "the router has too many requests waiting; ask again")));
        }
    }

    /** Control thread. */
    private void lookUp(final List<Search> searches)
    {
        final List<Found> found = searches.stream().map(search -> new Found(search, find(search.address))).toList();
        try
        {
            thread.execute(() -> deliver(found));
        }
        catch (final RejectedExecutionException ignore)
        {
            // The server is closed.
        }
    }

    private HttpAnswer find(final IpAddress address)
    {
        try
        {
            return new HttpAnswer(OK, HttpAnswer.JSON, (lookup.apply(address) + "\n").getBytes(StandardCharsets.UTF_8));
        }
        catch (final IllegalArgumentException ex)
        {
            return HttpAnswer.line(BAD_REQUEST, ex.getMessage());
        }
    }

    private void deliver(final List<Found> found)
    {
        isLookingUp = false;
        found.forEach(one -> one.search.answer.accept(one.answer));
        lookUp();
    }
}
