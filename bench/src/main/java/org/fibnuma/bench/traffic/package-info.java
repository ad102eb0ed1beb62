/** Traffic of lossless priorities: a sender that honours or ignores PAUSE and PFC frames. */
package org.fibnuma.bench.traffic;
