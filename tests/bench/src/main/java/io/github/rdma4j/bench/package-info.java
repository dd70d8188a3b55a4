// SPDX-License-Identifier: Apache-2.0
/** Measurements beside the C tools, in one guest and one run; each figure ends as a line {@code RATIO name value}. */
@NullMarked
package io.github.rdma4j.bench;

import org.jspecify.annotations.NullMarked;
