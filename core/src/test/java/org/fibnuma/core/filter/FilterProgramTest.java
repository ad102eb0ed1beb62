package org.fibnuma.core.filter;

import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.memory.MemoryRegion;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.HexFormat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Programs written by hand, with results computed by hand from the paper's definitions. That expressions of libpcap
 * give libpcap's results is tested in the binding module.
 */
class FilterProgramTest
{
    /** 20 bytes: 01 02 03 to 14. */
    private static final String FRAME = "0102030405060708090a0b0c0d0e0f1011121314";
    private static final int LENGTH = 20;
    private static final String RETURN_A = ",22 0 0 0";

    private final MemoryRegion region = MemoryRegion.ofBytes(LENGTH);

    @AfterEach
    void close()
    {
        region.close();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "constant             | 0 0 0 4294967295                          | -1",
        "length               | 128 0 0 0                                 | 20",
        "word                 | 32 0 0 0                                  | 16909060",
        "last word            | 32 0 0 16                                 | 286397204",
        "word beyond          | 32 0 0 17                                 | 0",
        "half                 | 40 0 0 18                                 | 4884",
        "half beyond          | 40 0 0 19                                 | 0",
        "byte                 | 48 0 0 19                                 | 20",
        "byte beyond          | 48 0 0 20                                 | 0",
        "Linux's offsets      | 40 0 0 4294963200                         | 0",
        "word at X            | 1 0 0 4,64 0 0 12                         | 286397204",
        "half at X            | 1 0 0 4,72 0 0 0                          | 1286",
        "byte at X            | 1 0 0 4,80 0 0 1                          | 6",
        "byte at X no wrap    | 1 0 0 4294967295,80 0 0 2                 | 0",
        "header length        | 177 0 0 15,135 0 0 0                      | 0",
        "header length of 15  | 177 0 0 14,135 0 0 0                      | 60",
        "scratch              | 0 0 0 7,2 0 0 15,0 0 0 1,96 0 0 15        | 7",
        "scratch by X         | 1 0 0 9,3 0 0 3,97 0 0 3,135 0 0 0        | 9",
        "unwritten scratch    | 96 0 0 5                                  | 0",
        "add                  | 0 0 0 4294967295,4 0 0 3                  | 2",
        "subtract X           | 1 0 0 5,0 0 0 3,28 0 0 0                  | -2",
        "multiply             | 0 0 0 65536,36 0 0 65537                  | 65536",
        "divide unsigned      | 0 0 0 4294967294,52 0 0 2                 | 2147483647",
        "divide by X of 0     | 0 0 0 8,60 0 0 0                          | 0",
        "modulo               | 0 0 0 4294967295,148 0 0 10               | 5",
        "modulo by X of 0     | 0 0 0 8,156 0 0 0                         | 0",
        "and                  | 0 0 0 12,84 0 0 10                        | 8",
        "or                   | 0 0 0 12,68 0 0 10                        | 14",
        "xor                  | 0 0 0 12,164 0 0 10                       | 6",
        "negate               | 0 0 0 1,132 0 0 0                         | -1",
        "shift left by 31     | 0 0 0 3,100 0 0 31                        | -2147483648",
        "shift left by X 32   | 1 0 0 32,0 0 0 3,108 0 0 0                | 0",
        "shift right          | 0 0 0 4294967295,116 0 0 28               | 15",
        "shift right by X 33  | 1 0 0 33,0 0 0 3,124 0 0 0                | 0",
        "copies               | 0 0 0 6,7 0 0 0,0 0 0 0,135 0 0 0         | 6",
        "jump                 | 0 0 0 6,5 0 0 1,0 0 0 7                   | 6",
        "equal                | 0 0 0 6,21 1 0 6,0 0 0 7                  | 6",
        "not equal            | 0 0 0 6,21 1 0 5,0 0 0 7                  | 7",
        "above unsigned       | 0 0 0 4294967295,37 1 0 1,0 0 0 7         | -1",
        "not above itself     | 0 0 0 6,37 1 0 6,0 0 0 7                  | 7",
        "not below itself     | 0 0 0 6,53 1 0 6,0 0 0 7                  | 6",
        "bits                 | 0 0 0 6,69 1 0 4,0 0 0 7                  | 6",
        "no bits              | 0 0 0 6,69 1 0 8,0 0 0 7                  | 7",
        "equal to X           | 1 0 0 6,0 0 0 6,29 1 0 0,0 0 0 7          | 6",
        "above X              | 1 0 0 5,0 0 0 6,45 1 0 9,0 0 0 7          | 6"})
    void shouldComputeWhatTheInstructionsSay(final String what, final String instructions, final int expected)
    {
        FrameMemory.putBytes(region.address(), HexFormat.of().parseHex(FRAME));
        final FilterProgram program = FilterProgram.parse(instructions + RETURN_A);
        for (int run = 0; run < 2; run++)
        {
            assertEquals(expected, program.run(region.address(), LENGTH), what);
        }
        assertEquals(program.toString(), FilterProgram.parse(program.toString()).copy().toString());
    }

    @Test
    void shouldReadNothingOfAnEmptyFrame()
    {
        assertEquals(0, FilterProgram.parse("48 0 0 0,6 0 0 1").run(region.address(), 0));
        assertEquals(1, FilterProgram.parse("6 0 0 1").run(region.address(), 0));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "''                              | instruction 0 does not have four numbers",
        "6 0 0                           | instruction 0 does not have four numbers",
        "6 0 0 0 0                       | instruction 0 does not have four numbers",
        "6 0 0 x                         | instruction 0 has \"x\"",
        "6 0 0 -1                        | instruction 0 has \"-1\"",
        "6 0 0 4294967296                | instruction 0 has \"4294967296\"",
        "65536 0 0 0                     | instruction 0 has \"65536\"",
        "6 256 0 0                       | instruction 0 has \"256\"",
        "0 0 0 0                         | instruction 0 is the last one and does not return",
        "6 0 0 0,0 0 0 0                 | instruction 1 is the last one and does not return",
        "14 0 0 0                        | unknown operation code 14",
        "65535 0 0 0,6 0 0 0             | unknown operation code 65535",
        "52 0 0 0,6 0 0 0                | divides by 0",
        "148 0 0 0,6 0 0 0               | divides by 0",
        "100 0 0 32,6 0 0 0              | shifts by more than 31 bits",
        "116 0 0 4294967295,6 0 0 0      | shifts by more than 31 bits",
        "2 0 0 16,6 0 0 0                | scratch word that does not exist",
        "96 0 0 4294967295,6 0 0 0       | scratch word that does not exist",
        "5 0 0 1,6 0 0 0                 | jumps behind the end",
        "5 0 0 4294967295,6 0 0 0        | jumps behind the end",
        "21 1 0 0,6 0 0 0                | jumps behind the end",
        "21 0 255 0,6 0 0 0              | jumps behind the end"})
    void shouldRefuseAProgramThatCouldDoHarm(final String text, final String reason)
    {
        final String message =
            assertThrows(IllegalArgumentException.class, () -> FilterProgram.parse(text)).getMessage();
        assertTrue(message.contains(reason), message);
        assertEquals(1, message.lines().count());
    }

    @Test
    void shouldRefuseMoreInstructionsThanLinuxHas()
    {
        final String longest = "0 0 0 0,".repeat(FilterProgram.MAX_LENGTH - 1) + "6 0 0 1";
        assertEquals(1, FilterProgram.parse(longest).run(region.address(), LENGTH));
        assertThrows(IllegalArgumentException.class, () -> FilterProgram.parse("0 0 0 0," + longest));
    }
}
