// SPDX-License-Identifier: Apache-2.0
/** Pauses at random places of the classes under test, so that threads meet there that seldom meet. */
@NullMarked
package io.github.rdma4j.channels.noise;

import org.jspecify.annotations.NullMarked;
