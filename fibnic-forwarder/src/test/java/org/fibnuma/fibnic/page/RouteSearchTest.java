package org.fibnuma.fibnic.page;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import org.fibnuma.core.service.http.HttpAnswer;
import org.fibnuma.core.service.http.HttpQuery;
import org.fibnuma.core.wire.IpAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

class RouteSearchTest
{
    private final List<Runnable> controlTasks = new ArrayList<>();
    private final List<String> answers = new ArrayList<>();
    private boolean isControlBusy;

    private final RouteSearch search = new RouteSearch(
        RouteSearchTest::lookup, task -> !isControlBusy && controlTasks.add(task), Runnable::run);

    private static JsonNode lookup(final IpAddress address)
    {
        if (!address.isIpv4())
        {
            throw new IllegalArgumentException("the kernel forwards IPv6");
        }
        return JsonNodeFactory.instance.objectNode().put("address", address.toString());
    }

    private void ask(final String address)
    {
        search.get(new HttpQuery("", Map.of(RouteSearch.ADDRESS, List.of(address))), this::onAnswer);
    }

    private void onAnswer(final HttpAnswer answer)
    {
        answers.add(answer.status() + " " + new String(answer.body(), StandardCharsets.UTF_8));
    }

    private void runControl()
    {
        final List<Runnable> tasks = List.copyOf(controlTasks);
        controlTasks.clear();
        tasks.forEach(Runnable::run);
    }

    @Test
    void shouldAnswerWithWhatLookupSays()
    {
        ask(" 192.0.2.1 ");
        assertEquals(List.of(), answers);
        runControl();
        assertEquals(List.of("200 {\"address\":\"192.0.2.1\"}\n"), answers);
    }

    @Test
    void shouldPassTheReasonOnWhyAnAddressCannotBeLookedUp()
    {
        ask("2001:db8::1");
        runControl();
        assertEquals(List.of("400 the kernel forwards IPv6\n"), answers);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "192.0.2.300           | 192.0.2.300",
        "192.0.2.0/24          | 192.0.2.0/24",
        "1.2.3                 | 1.2.3",
        "2001:db8:::1          | 2001:db8:::1",
        "fe80::1%eth0          | fe80::1%eth0",
        "example.net           | example.net",
        "<script>              | <script>",
        "\u00e9\u00e8          | ??"})
    void shouldQuoteWhatIsNoAddressOnOneLine(final String text, final String quoted)
    {
        ask(text);
        assertEquals(List.of("400 \"" + quoted + "\" is not an IP address; give one such as 192.0.2.1 or " +
            "2001:db8::1\n"), answers);
        assertTrue(controlTasks.isEmpty());
    }

    @ParameterizedTest
    @ValueSource(strings = {"1\n2", "1\r2", "1\u00002"})
    void shouldQuoteNoControlCharacters(final String text)
    {
        ask(text);
        assertTrue(answers.get(0).startsWith("400 \"1?2\" is not an IP address"), answers::toString);
    }

    @Test
    void shouldCutALongText()
    {
        ask("1".repeat(900));
        assertTrue(answers.get(0).startsWith("400 \"" + "1".repeat(45) + "...\" is not an IP address"),
            answers::toString);
    }

    @Test
    void shouldSayWhatIsMissing()
    {
        search.get(new HttpQuery("", Map.of()), this::onAnswer);
        assertEquals(List.of("400 give an IPv4 or IPv6 address: /lookup?address=192.0.2.1\n"), answers);
    }

    /** However many clients search, one task waits for the control thread. */
    @Test
    void shouldLookUpAllThatWaitInOneTask()
    {
        for (int i = 0; i < 60; i++)
        {
            ask("192.0.2." + i);
        }
        assertEquals(1, controlTasks.size());
        runControl();
        assertEquals(1, answers.size());
        assertEquals(1, controlTasks.size());
        runControl();
        assertEquals(60, answers.size());
        assertEquals("200 {\"address\":\"192.0.2.59\"}\n", answers.get(59));
        assertTrue(controlTasks.isEmpty());
    }

    @Test
    void shouldRefuseWhileTheControlThreadTakesNoTask()
    {
        isControlBusy = true;
        ask("192.0.2.1");
        assertEquals(List.of("503 the router has too many requests waiting; ask again\n"), answers);
        isControlBusy = false;
        ask("192.0.2.2");
        runControl();
        assertEquals("200 {\"address\":\"192.0.2.2\"}\n", answers.get(1));
    }
}
