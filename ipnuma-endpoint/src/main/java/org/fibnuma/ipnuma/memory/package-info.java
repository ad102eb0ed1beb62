/**
 * Regions of memory that peers may write, as files in {@code /dev/shm} which every process of this machine may map:
 * one page that says what the file is and in which state, then the bytes of the region.
 * <pre>
 *  RegionStore (owns the directory) --open--> RegionFile (one file, its states)
 *                                                  |
 *                                   RegionMapping  (the mapped bytes, of owner and clients alike)
 * </pre>
 * Chronicle-Bytes maps and unmaps; every access goes to the address itself, past Chronicle.
 */
package org.fibnuma.ipnuma.memory;
