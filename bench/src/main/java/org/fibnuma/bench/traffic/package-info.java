/** Traffic of lossless priorities: a sender that honours or ignores PAUSE and PFC frames. */
@org.fibnuma.core.Internal
package org.fibnuma.bench.traffic;
