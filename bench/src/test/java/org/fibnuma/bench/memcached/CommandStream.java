package org.fibnuma.bench.memcached;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Random;

/**
 * Random commands of memcached's protocol, valid and invalid, in batches. A command of a batch has keys of its own, so
 * that a pipelined answer that memcached has not sent yet does not change what the next command does (a decr shortens a
 * number that is still being sent, and pads any other).
 * <p>
 * Left out: keys above 250 bytes in a get, after which memcached drops the answers before it; expiry between 0 and
 * 3,000 s, which would pass during the run; T of ma, which memcached loses when the number grows; keys in base64 with
 * other characters; values of white space alone.
 * <p>
 * Values with a minus sign are stored under keys of their own, and never appended to or prepended: behind the digits of
 * a number from 2^63 on, memcached looks for a minus sign up to a byte of 0, also behind the value in what an earlier
 * item has left in memory ({@code safe_strtoull}). {@link MemcachedSystemTest} shows it.
 */
final class CommandStream
{
    /** Commands of a batch. */
    static final int BATCH = 16;

    private static final int KEYS = 4;
    private static final String[] NUMBERS = {
        "0", "1", "5", "10", "99", "18446744073709551615", "18446744073709551616", "-1", "x", "1x", "4294967296"};
    private static final String[] VALUES = {
        "", "0", "1", "9", "10", "99", "100", "12345", "18446744073709551615", " 5", "5 x", "+7", "12abc",
        "18446744073709551616", "0007 "};
    private static final String[] EXPIRIES = {"0", "0", "0", "0", "10000", "100000", "-1", "2592001", "x"};
    private static final String[] CLIENT_FLAGS = {"0", "0", "1", "77", "4294967295", "4294967296", "-1", "z"};
    private static final String[] LINES = {
        "", "foo", "get", "gat", "set a", "verbosity 1", "verbosity", "verbosity x", "mx a", "mg", "ms a", "ms", "ma",
        "md", "me", "incr a", "touch a", "delete", "delete a b c d", "shutdown", "  get   a  ", "m", "mg a" +
        " s v".repeat(12), "get a\0b", "flush_all x", "gat x a", "gat 1"};
    private static final int[] LENGTHS = {1, 2, 3, 10, 31, 100, 400, 1400};
    private static final String BYTES = "abcxyz 0\0\u00ff\r";

    private final Random random;
    private long cas = 1;

    CommandStream(final long seed)
    {
        random = new Random(seed);
    }

    /** Tells a CAS unique that exists, for commands that compare. */
    void sawCas(final long unique)
    {
        cas = unique;
    }

    /** Returns the next commands. */
    byte[] nextBatch()
    {
        final ByteArrayOutputStream batch = new ByteArrayOutputStream();
        for (int i = 0; i < BATCH; i++)
        {
            batch.writeBytes(command(i).getBytes(StandardCharsets.ISO_8859_1));
        }
        return batch.toByteArray();
    }

    private String command(final int group)
    {
        final String key = random.nextInt(250) == 0 ? "K".repeat(249 + random.nextInt(2)) : key(group);
        final int choice = random.nextInt(200);
        if (random.nextInt(50) == 0)
        {
            return negative("k" + (char)('a' + group) + "m0");
        }
        if (choice < 50)
        {
            return storage(key);
        }
        if (choice < 90)
        {
            return (random.nextBoolean() ? "get" : "gets") + keys(group) + "\r\n";
        }
        if (choice < 98)
        {
            return (random.nextBoolean() ? "gat " : "gats ") + one("0", "10000", "x", "-1") + keys(group) + "\r\n";
        }
        if (choice < 118)
        {
            return (random.nextBoolean() ? "incr " : "decr ") + key + " " + one(NUMBERS) + noreply() + "\r\n";
        }
        if (choice < 126)
        {
            return "delete " + key + one("", "", " 0", " 1", " 0 noreply", " noreply") + "\r\n";
        }
        if (choice < 132)
        {
            return "touch " + key + " " + one("0", "10000", "-1", "x") + noreply() + "\r\n";
        }
        return choice < 197 ? meta(key, choice) : rare();
    }

    private String negative(final String key)
    {
        final String number = random.nextBoolean() ? "-3" : "-18446744073709551615";
        return switch (random.nextInt(6))
        {
            case 0, 1 -> one("set ", "add ", "replace ") + key + " 0 0 " + number.length() + noreply() + "\r\n" +
                number + "\r\n";
            case 2 -> "ms " + key + " " + number.length() + flags("c C I k O q") + "\r\n" + number + "\r\n";
            case 3 -> "ma " + key + flags("C D J MID+- q t c v k O") + "\r\n";
            default -> (random.nextBoolean() ? "incr " : "decr ") + key + " " + one(NUMBERS) + noreply() + "\r\n";
        };
    }

    private String rare()
    {
        return random.nextInt(40) == 0 ? one("flush_all", "flush_all 0", "flush_all noreply") + "\r\n" :
            one(LINES) + (random.nextBoolean() ? "\r\n" : "\n");
    }

    private String meta(final String key, final int choice)
    {
        if (choice < 158)
        {
            return "mg " + key + flags("c f h k O q s t u v N R T b") + "\r\n";
        }
        if (choice < 176)
        {
            final String value = value();
            return "ms " + key + " " + value.length() + flags("c C F I k O q T MEAPRS b") + "\r\n" + value + "\r\n";
        }
        if (choice < 184)
        {
            return "md " + key + flags("C I k O q T b") + "\r\n";
        }
        return choice < 193 ? "ma " + key + flags("C N J D MID+- q t c v k O") + "\r\n" : "me " + key + "\r\n";
    }

    private String key(final int group)
    {
        // Four characters, so that it is valid base64 too.
        return "k" + (char)('a' + group) + "x" + random.nextInt(KEYS);
    }

    private String keys(final int group)
    {
        final StringBuilder keys = new StringBuilder();
        final int count = random.nextInt(20) == 0 ? 60 : 1 + random.nextInt(3);
        for (int i = 0; i < count; i++)
        {
            keys.append(' ').append(key(group));
        }
        return keys.toString();
    }

    private String storage(final String key)
    {
        if (random.nextInt(100) == 0)
        {
            final String large = "v".repeat(random.nextInt(20) == 0 ? 1_100_000 : 70_000 + random.nextInt(100_000));
            return "set " + key + " 5 0 " + large.length() + noreply() + "\r\n" + large + "\r\n";
        }
        final String command = one("set", "set", "set", "set", "add", "replace", "append", "prepend", "cas");
        final String value = value();
        final String length = random.nextInt(100) == 0 ? one("-1", "x", "1") :
            Integer.toString(value.length());
        return command + " " + key + " " + one(CLIENT_FLAGS) + " " + one(EXPIRIES) + " " + length +
            (command.equals("cas") ? " " + casUnique() : "") + noreply() + "\r\n" + value + "\r\n";
    }

    private String value()
    {
        if (random.nextInt(3) > 0)
        {
            return one(VALUES);
        }
        final StringBuilder value = new StringBuilder();
        final int length = LENGTHS[random.nextInt(LENGTHS.length)];
        for (int i = 0; i < length; i++)
        {
            value.append(BYTES.charAt(random.nextInt(BYTES.length())));
        }
        // For an increment of white space alone, memcached reads on behind the value.
        return value.toString().trim().isEmpty() ? "a" + value : value.toString();
    }

    private long casUnique()
    {
        return random.nextBoolean() ? cas : 1 + (long)(random.nextDouble() * (cas + 4));
    }

    private String flags(final String known)
    {
        final StringBuilder flags = new StringBuilder();
        for (final String flag : known.split(" "))
        {
            if (random.nextInt(4) == 0)
            {
                flags.insert(random.nextBoolean() ? 0 : flags.length(), " " + withToken(flag));
            }
        }
        return flags + (random.nextInt(50) == 0 ? " " + one("S5", "y", "!", "k", "kk") : "");
    }

    private String withToken(final String flag)
    {
        final char letter = flag.charAt(0);
        return switch (letter)
        {
            case 'O' -> "O" + one("1", "abc", "x".repeat(31), "x".repeat(32));
            case 'N', 'T' -> letter + one("3000", "10000", "0", "-1", "q");
            // None is near another lifetime: the second in which an item was stored must not matter.
            case 'R' -> letter + one("5000", "50000", "0", "-1", "q");
            case 'C' -> letter + Long.toString(random.nextInt(8) == 0 ? 0 : casUnique());
            case 'F' -> letter + one(CLIENT_FLAGS);
            case 'D', 'J' -> letter + one(NUMBERS);
            case 'M' -> "M" + (random.nextInt(10) == 0 ? one("Z", "") :
                flag.charAt(1 + random.nextInt(flag.length() - 1)));
            default -> flag;
        };
    }

    private String noreply()
    {
        return random.nextInt(10) == 0 ? " noreply" : "";
    }

    private String one(final String... choices)
    {
        return choices[random.nextInt(choices.length)];
    }
}
