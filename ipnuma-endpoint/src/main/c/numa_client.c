/* A client of an endpoint, in C: stores VALUE at byte 8 of a peer's region through the send ring, then polls its own
 * region until somebody stores a number at byte 0, and prints that. The layout is in docs/ipnuma-protocol.md. A region
 * has a key unless its configuration says key = "none": KEY is that key as 0x and hexadecimal digits. What the endpoint
 * answers is read too: where the store is refused, the program says why and ends with 1.
 *   gcc -O2 -o numa_client numa_client.c
 *   ./numa_client /dev/shm/fibnuma-NAME/clients REGION PEER PEER_REGION VALUE [KEY] */
#include <fcntl.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { WRITE_DONE = 105 };   /* the answer to a write whose correlation is not 0 */

#define GET(type, at) atomic_load_explicit((_Atomic type *)(at), memory_order_acquire)
#define PUT(type, at, value) atomic_store_explicit((_Atomic type *)(at), (value), memory_order_release)

static void fail(const char *what) { fprintf(stderr, "%s\n", what); exit(1); }

static int64_t now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static uint8_t *map(const char *path)
{
    struct stat status;
    const int file = open(path, O_RDWR);
    if (file < 0 || fstat(file, &status) != 0) fail(path);
    uint8_t *memory = mmap(NULL, status.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (memory == MAP_FAILED) fail(path);
    return memory;
}

/* Appends a record to Agrona's ring of one producer: 0 where it is full. */
static int append(uint8_t *ring, int64_t capacity, int32_t type, const void *body, int32_t length)
{
    const int64_t tail = GET(int64_t, ring + capacity + 128), head = GET(int64_t, ring + capacity + 384);
    const int64_t aligned = (length + 15) & ~7;
    int64_t at = tail & (capacity - 1);
    const int64_t to_end = capacity - at, padding = aligned != to_end && aligned + 8 > to_end ? to_end : 0;
    if (padding + aligned + 8 > capacity - (tail - head)) return 0;
    PUT(int64_t, ring + capacity + 128, tail + padding + aligned);
    if (padding != 0)
    {
        PUT(int64_t, ring, 0);
        PUT(int32_t, ring + at + 4, -1);
        PUT(int32_t, ring + at, padding);
        at = 0;
    }
    PUT(int64_t, ring + ((at + aligned) & (capacity - 1)), 0);   /* where the next record's length will be */
    memcpy(ring + at + 8, body, length);
    PUT(int32_t, ring + at + 4, type);
    PUT(int32_t, ring + at, length + 8);                         /* last: now the endpoint may read it */
    return 1;
}

static void refused(const char *what, int32_t status)
{
    static const char *const access[] = {
        "", "no region", "out of range", "no access", "wrong key", "revoked", "misaligned" };
    if (status > 0 && status < 7) fprintf(stderr, "%s refused: %s\n", what, access[status]);
    else fprintf(stderr, "%s refused: %s (status %d)\n", what, status == 64 ? "no such peer" : "not possible", status);
    exit(1);
}

/* Reads what the endpoint has answered. An event of a peer says in place of the correlation which peer it is. */
static void take(uint8_t *ring, int64_t capacity, int64_t target)
{
    for (;;)
    {
        const int64_t head = GET(int64_t, ring + capacity + 384);
        const uint8_t *record = ring + (head & (capacity - 1));
        const int32_t length = GET(int32_t, record);
        if (length <= 0) return;
        const int32_t type = *(int32_t *)(record + 4), status = *(int32_t *)(record + 16);
        const int64_t peer = *(int64_t *)(record + 8), value = *(int64_t *)(record + 24);
        if (type == 103 && status != 0) refused("the key was", status);
        if (type == WRITE_DONE && status != 0) refused("the store was", status);   /* 0: it is in the peer's memory */
        if (type >= 110 && type <= 114 && peer == (int64_t)((uint64_t)target >> 48))
        {
            if (type == 111) fprintf(stderr, "peer %lld is down\n", (long long)peer);
            if (type == 112) fprintf(stderr, "peer %lld has restarted\n", (long long)peer);
            if (type == 114 && value == (target & 0xFFFFFFFFFFFFLL)) refused("the store was", status);
        }
        PUT(int64_t, ring + capacity + 384, head + ((length + 7) & ~7));
    }
}

int main(int count, char **arguments)
{
    if (count != 6 && count != 7) fail("numa_client CLIENTS-FILE REGION PEER PEER_REGION VALUE [KEY]");
    uint8_t *file = map(arguments[1]), *slot = NULL, *region = NULL;
    if (GET(int64_t, file) != 0x544E45494C434E46LL || *(int32_t *)(file + 8) != 1) fail("not a clients file");

    for (int i = 0; i < *(int32_t *)(file + 56) && slot == NULL; i++)
    {
        uint8_t *place = file + *(int32_t *)(file + 52) + (int64_t)i * *(int32_t *)(file + 60);
        int32_t is_free = 0;
        if (atomic_compare_exchange_strong((_Atomic int32_t *)place, &is_free, 1)) slot = place;
    }
    if (slot == NULL) fail("all places are taken");
    *(int64_t *)(slot + 8) = getpid();
    PUT(int64_t, slot + 128, now());
    PUT(int32_t, slot, 2);

    for (int i = 0; i < *(int32_t *)(file + 44) && region == NULL; i++)
    {
        uint8_t *entry = file + *(int32_t *)(file + 40) + (int64_t)i * *(int32_t *)(file + 48);
        const int32_t state = GET(int32_t, entry);
        if ((state == 1 || state == 2) && strcmp((char *)entry + 32, arguments[2]) == 0)
            region = map((char *)entry + 104) + 4096;
    }
    if (region == NULL) fail("no such region");

    uint8_t *requests = slot + *(int32_t *)(file + 64), *answers = slot + *(int32_t *)(file + 68);
    const int64_t capacity = *(int32_t *)(file + 72), target = atoll(arguments[3]) << 48 | atoll(arguments[4]) << 32 | 8;
    if (count == 7)
    {
        const struct { int64_t target, correlation; uint64_t key; } key = { target, 1, strtoull(arguments[6], NULL, 16) };
        while (!append(requests, capacity, 8, &key, sizeof key)) usleep(10);
    }
    const struct { int64_t target, correlation; int32_t length, flags; int64_t value; } write = {
        target, 2, 8, 1 | 2, atoll(arguments[5]) };
    while (!append(requests, capacity, 1, &write, sizeof write)) usleep(10);

    while (GET(int64_t, region) == 0)
    {
        PUT(int64_t, slot + 128, now());
        take(answers, capacity, target);
        if (GET(int32_t, file + 28) != 1 || now() - GET(int64_t, file + 128) > *(int64_t *)(file + 32))
            fail("the endpoint has died");
        usleep(1000);
    }
    printf("%lld\n", (long long)GET(int64_t, region));
    PUT(int32_t, slot, 3);
    return 0;
}
