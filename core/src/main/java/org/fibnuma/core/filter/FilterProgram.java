package org.fibnuma.core.filter;

import org.fibnuma.core.memory.FrameMemory;

import java.util.Arrays;

/**
 * A validated program of the classic Berkeley Packet Filter, and its interpreter (S. McCanne, V. Jacobson, "The BSD
 * Packet Filter: A New Architecture for User-level Packet Capture", USENIX 1993). It jumps forward only, so it ends
 * after at most as many steps as it has instructions. It reads the bytes of the frame only. Results are those of
 * libpcap's {@code bpf_filter()}. One thread uses an object; {@link #copy()} makes one for another thread.
 */
public final class FilterProgram
{
    /** Most instructions, as in Linux (BPF_MAXINSNS). */
    public static final int MAX_LENGTH = 4096;

    private static final int SCRATCH_WORDS = 16;
    private static final int NUMBERS = 4;
    private static final int MAX_CODE = 0xFFFF;
    private static final int MAX_JUMP = 0xFF;
    private static final long MAX_CONSTANT = 0xFFFF_FFFFL;
    /** Value of bytes that are not in the frame. */
    private static final long BEYOND = -1;

    // Operation codes: the numbers are those of linux/bpf_common.h and pcap/bpf.h. A is the accumulator, X the index
    // register, M the scratch memory, P the frame, k the constant of the instruction.

    private static final int LD = 0x00;
    private static final int LDX = 0x01;
    private static final int ALU = 0x04;
    private static final int JMP = 0x05;
    private static final int RET = 0x06;
    private static final int MISC = 0x07;
    private static final int CLASS_MASK = 0x07;

    private static final int W = 0x00;
    private static final int H = 0x08;
    private static final int B = 0x10;

    private static final int IMM = 0x00;
    private static final int ABS = 0x20;
    private static final int IND = 0x40;
    private static final int MEM = 0x60;
    private static final int LEN = 0x80;
    private static final int MSH = 0xA0;

    private static final int K = 0x00;
    private static final int X = 0x08;
    private static final int A = 0x10;

    // A = 4 bytes at P[k].
    private static final int LOAD_WORD = LD | W | ABS;
    private static final int LOAD_HALF = LD | H | ABS;
    private static final int LOAD_BYTE = LD | B | ABS;
    // A = 4 bytes at P[X + k].
    private static final int LOAD_WORD_INDEXED = LD | W | IND;
    private static final int LOAD_HALF_INDEXED = LD | H | IND;
    private static final int LOAD_BYTE_INDEXED = LD | B | IND;
    // A = length of the frame.
    private static final int LOAD_LENGTH = LD | W | LEN;
    private static final int LOAD_CONSTANT = LD | W | IMM;
    private static final int LOAD_SCRATCH = LD | W | MEM;
    private static final int LOADX_CONSTANT = LDX | W | IMM;
    private static final int LOADX_SCRATCH = LDX | W | MEM;
    private static final int LOADX_LENGTH = LDX | W | LEN;
    // X = 4 * (P[k] & 15), the length of an IPv4 header.
    private static final int LOADX_HEADER_LENGTH = LDX | B | MSH;
    private static final int STORE = 0x02;
    private static final int STOREX = 0x03;

    private static final int ADD = ALU | K;
    private static final int ADD_X = ALU | X;
    private static final int SUBTRACT = ALU | 0x10 | K;
    private static final int SUBTRACT_X = ALU | 0x10 | X;
    private static final int MULTIPLY = ALU | 0x20 | K;
    private static final int MULTIPLY_X = ALU | 0x20 | X;
    private static final int DIVIDE = ALU | 0x30 | K;
    private static final int DIVIDE_X = ALU | 0x30 | X;
    private static final int OR = ALU | 0x40 | K;
    private static final int OR_X = ALU | 0x40 | X;
    private static final int AND = ALU | 0x50 | K;
    private static final int AND_X = ALU | 0x50 | X;
    private static final int SHIFT_LEFT = ALU | 0x60 | K;
    private static final int SHIFT_LEFT_X = ALU | 0x60 | X;
    private static final int SHIFT_RIGHT = ALU | 0x70 | K;
    private static final int SHIFT_RIGHT_X = ALU | 0x70 | X;
    private static final int NEGATE = ALU | 0x80;
    private static final int MODULO = ALU | 0x90 | K;
    private static final int MODULO_X = ALU | 0x90 | X;
    private static final int XOR = ALU | 0xA0 | K;
    private static final int XOR_X = ALU | 0xA0 | X;

    private static final int JUMP = JMP;
    private static final int JUMP_EQUAL = JMP | 0x10 | K;
    private static final int JUMP_EQUAL_X = JMP | 0x10 | X;
    private static final int JUMP_ABOVE = JMP | 0x20 | K;
    private static final int JUMP_ABOVE_X = JMP | 0x20 | X;
    private static final int JUMP_NOT_BELOW = JMP | 0x30 | K;
    private static final int JUMP_NOT_BELOW_X = JMP | 0x30 | X;
    private static final int JUMP_BITS = JMP | 0x40 | K;
    private static final int JUMP_BITS_X = JMP | 0x40 | X;

    private static final int RETURN = RET | K;
    private static final int RETURN_A = RET | A;

    // X = A.
    private static final int COPY_TO_X = MISC;
    // A = X.
    private static final int COPY_FROM_X = MISC | 0x80;

    private final short[] codes;
    private final short[] whenTrue;
    private final short[] whenFalse;
    private final int[] constants;
    private final int[] scratch = new int[SCRATCH_WORDS];
    private final boolean usesScratch;

    private FilterProgram(
        final short[] codes, final short[] whenTrue, final short[] whenFalse, final int[] constants)
    {
        this.codes = codes;
        this.whenTrue = whenTrue;
        this.whenFalse = whenFalse;
        this.constants = constants;
        boolean loads = false;
        for (final short code : codes)
        {
            loads |= code == LOAD_SCRATCH || code == LOADX_SCRATCH;
        }
        this.usesScratch = loads;
    }

    /**
     * Parses and validates a program, as Linux does (bpf_check_classic): known operations, jumps that end inside the
     * program, existing scratch words, no division by a constant 0, no shift by a constant above 31 bits, and a return
     * at the end.
     *
     * @param text for each instruction the four decimal numbers code, jump if true, jump if false and constant,
     *             separated by spaces, and commas between the instructions: {@code 40 0 0 12,21 0 1 2048,...}, the
     *             numbers of {@code tcpdump -ddd}.
     * @throws IllegalArgumentException with one line about the first instruction that is wrong.
     */
    public static FilterProgram parse(final String text)
    {
        final String[] lines = text.split(",", MAX_LENGTH + 2);
        final int length = lines.length;
        if (length > MAX_LENGTH)
        {
            throw new IllegalArgumentException("filter program: more than " + MAX_LENGTH + " instructions");
        }
        final short[] codes = new short[length];
        final short[] whenTrue = new short[length];
        final short[] whenFalse = new short[length];
        final int[] constants = new int[length];
        for (int i = 0; i < length; i++)
        {
            final String[] numbers = lines[i].split(" ", NUMBERS + 1);
            if (numbers.length != NUMBERS)
            {
                throw wrong(i, "does not have four numbers");
            }
            codes[i] = (short)number(i, numbers[0], MAX_CODE);
            whenTrue[i] = (short)number(i, numbers[1], MAX_JUMP);
            whenFalse[i] = (short)number(i, numbers[2], MAX_JUMP);
            constants[i] = (int)number(i, numbers[3], MAX_CONSTANT);
            check(i, length, codes[i], whenTrue[i], whenFalse[i], constants[i]);
        }
        final int last = codes[length - 1];
        if (last != RETURN && last != RETURN_A)
        {
            throw wrong(length - 1, "is the last one and does not return");
        }
        return new FilterProgram(codes, whenTrue, whenFalse, constants);
    }

    private static long number(final int at, final String text, final long max)
    {
        try
        {
            final long number = Long.parseLong(text);
            if (number >= 0 && number <= max)
            {
                return number;
            }
        }
        catch (final NumberFormatException ignore)
        {
            // Reported below, as a number out of range is.
        }
        throw wrong(at, "has \"" + text + "\" where a number from 0 to " + max + " must be");
    }

    private static void check(
        final int at, final int length, final int code, final int whenTrue, final int whenFalse, final int constant)
    {
        switch (code)
        {
            case LOAD_WORD, LOAD_HALF, LOAD_BYTE, LOAD_WORD_INDEXED, LOAD_HALF_INDEXED, LOAD_BYTE_INDEXED,
                LOAD_LENGTH, LOAD_CONSTANT, LOADX_CONSTANT, LOADX_LENGTH, LOADX_HEADER_LENGTH,
                ADD, ADD_X, SUBTRACT, SUBTRACT_X, MULTIPLY, MULTIPLY_X, DIVIDE_X, OR, OR_X, AND, AND_X,
                SHIFT_LEFT_X, SHIFT_RIGHT_X, NEGATE, MODULO_X, XOR, XOR_X,
                RETURN, RETURN_A, COPY_TO_X, COPY_FROM_X ->
            {
            }
            case LOAD_SCRATCH, LOADX_SCRATCH, STORE, STOREX -> require(
                constant >= 0 && constant < SCRATCH_WORDS, at, "uses a scratch word that does not exist");
            case DIVIDE, MODULO -> require(constant != 0, at, "divides by 0");
            case SHIFT_LEFT, SHIFT_RIGHT -> require(
                constant >= 0 && constant < Integer.SIZE, at, "shifts by more than 31 bits");
            case JUMP -> require(
                constant >= 0 && constant < length - at - 1, at, "jumps behind the end of the program");
            case JUMP_EQUAL, JUMP_EQUAL_X, JUMP_ABOVE, JUMP_ABOVE_X, JUMP_NOT_BELOW, JUMP_NOT_BELOW_X, JUMP_BITS,
                JUMP_BITS_X -> require(
                    Math.max(whenTrue, whenFalse) < length - at - 1, at, "jumps behind the end of the program");
            default -> throw wrong(at, "has the unknown operation code " + (code & MAX_CODE));
        }
    }

    private static void require(final boolean met, final int at, final String problem)
    {
        if (!met)
        {
            throw wrong(at, problem);
        }
    }

    private static IllegalArgumentException wrong(final int at, final String problem)
    {
        return new IllegalArgumentException("filter program: instruction " + at + " " + problem);
    }

    /** Returns the same program for another thread. */
    public FilterProgram copy()
    {
        return new FilterProgram(codes, whenTrue, whenFalse, constants);
    }

    /**
     * Runs the program on a frame. A load beyond the frame or a division by 0 returns 0.
     *
     * @param frame  native address of the first byte.
     * @param length of the frame in bytes, 0 or more.
     * @return number of bytes to keep, unsigned; 0 if the frame is not accepted.
     */
    public int run(final long frame, final int length)
    {
        if (usesScratch)
        {
            Arrays.fill(scratch, 0);
        }
        int a = 0;
        int x = 0;
        int pc = 0;
        while (true)
        {
            final int code = codes[pc];
            final int k = constants[pc];
            switch (code & CLASS_MASK)
            {
                case RET:
                    return code == RETURN ? k : a;
                case LD, LDX:
                    final long loaded = load(code, frame, length, x, k);
                    if (loaded == BEYOND)
                    {
                        return 0;
                    }
                    a = (code & CLASS_MASK) == LD ? (int)loaded : a;
                    x = (code & CLASS_MASK) == LDX ? (int)loaded : x;
                    break;
                case STORE:
                    scratch[k] = a;
                    break;
                case STOREX:
                    scratch[k] = x;
                    break;
                case ALU:
                    final int operand = (code & X) == 0 ? k : x;
                    if (operand == 0 && (code == DIVIDE_X || code == MODULO_X))
                    {
                        return 0;
                    }
                    a = compute(code & ~X, a, operand);
                    break;
                case JMP:
                    pc += code == JUMP ? k : holds(code & ~X, a, (code & X) == 0 ? k : x) ?
                        whenTrue[pc] : whenFalse[pc];
                    break;
                default:
                    a = code == COPY_FROM_X ? x : a;
                    x = code == COPY_TO_X ? a : x;
                    break;
            }
            pc++;
        }
    }

    /** Returns the unsigned value to load, or {@link #BEYOND}. */
    private long load(final int code, final long frame, final int length, final int x, final int k)
    {
        final long direct = k & MAX_CONSTANT;
        final long indexed = direct + (x & MAX_CONSTANT);
        return switch (code)
        {
            case LOAD_WORD -> word(frame, length, direct);
            case LOAD_WORD_INDEXED -> word(frame, length, indexed);
            case LOAD_HALF -> half(frame, length, direct);
            case LOAD_HALF_INDEXED -> half(frame, length, indexed);
            case LOAD_BYTE -> octet(frame, length, direct);
            case LOAD_BYTE_INDEXED -> octet(frame, length, indexed);
            case LOADX_HEADER_LENGTH -> headerLength(octet(frame, length, direct));
            case LOAD_SCRATCH, LOADX_SCRATCH -> scratch[k] & MAX_CONSTANT;
            case LOAD_LENGTH, LOADX_LENGTH -> length;
            default -> direct;
        };
    }

    private static long word(final long frame, final int length, final long offset)
    {
        return offset + Integer.BYTES > length ? BEYOND : FrameMemory.getIntBE(frame + offset) & MAX_CONSTANT;
    }

    private static long half(final long frame, final int length, final long offset)
    {
        return offset + Short.BYTES > length ? BEYOND : FrameMemory.getShortBE(frame + offset);
    }

    private static long octet(final long frame, final int length, final long offset)
    {
        return offset >= length ? BEYOND : FrameMemory.getByte(frame + offset) & 0xFF;
    }

    private static long headerLength(final long octet)
    {
        return octet == BEYOND ? BEYOND : (octet & 0xF) << 2;
    }

    private static boolean holds(final int code, final int a, final int operand)
    {
        return switch (code)
        {
            case JUMP_EQUAL -> a == operand;
            case JUMP_ABOVE -> Integer.compareUnsigned(a, operand) > 0;
            case JUMP_NOT_BELOW -> Integer.compareUnsigned(a, operand) >= 0;
            default -> (a & operand) != 0;
        };
    }

    private static int compute(final int code, final int a, final int operand)
    {
        return switch (code)
        {
            case ADD -> a + operand;
            case SUBTRACT -> a - operand;
            case MULTIPLY -> a * operand;
            case DIVIDE -> Integer.divideUnsigned(a, operand);
            case MODULO -> Integer.remainderUnsigned(a, operand);
            case OR -> a | operand;
            case AND -> a & operand;
            case XOR -> a ^ operand;
            case SHIFT_LEFT -> Integer.compareUnsigned(operand, Integer.SIZE) < 0 ? a << operand : 0;
            case SHIFT_RIGHT -> Integer.compareUnsigned(operand, Integer.SIZE) < 0 ? a >>> operand : 0;
            default -> -a;
        };
    }

    /** Returns the program as {@link #parse} takes it. */
    @Override
    public String toString()
    {
        final StringBuilder text = new StringBuilder();
        for (int i = 0; i < codes.length; i++)
        {
            text.append(i == 0 ? "" : ",")
                .append(codes[i]).append(' ').append(whenTrue[i]).append(' ').append(whenFalse[i]).append(' ')
                .append(Integer.toUnsignedString(constants[i]));
        }
        return text.toString();
    }
}
