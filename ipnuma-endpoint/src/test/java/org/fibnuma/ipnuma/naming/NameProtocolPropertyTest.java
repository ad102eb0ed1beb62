package org.fibnuma.ipnuma.naming;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.fibnuma.core.UserException;
import org.fibnuma.core.wire.Ipv4Address;

import java.util.List;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class NameProtocolPropertyTest
{
    @Property(tries = 300)
    void shouldAnswerAnyLineInOneLine(@ForAll final String line)
    {
        final String answer = new NameDirectory("a", 1, List.of()).answer(
            line, Ipv4Address.parse("127.0.0.1"), true);
        assertTrue(answer.startsWith("{\"") && !answer.contains("\n") && answer.length() < NameProtocol.MAX_LINE_BYTES);
    }

    @Property(tries = 300)
    void shouldReadNoAnswerButARegionOrARefusal(@ForAll final String line)
    {
        assertThrows(UserException.class, () -> NameProtocol.region(line, "box", "x:1"));
    }
}
