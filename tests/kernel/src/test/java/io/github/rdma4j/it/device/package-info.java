// SPDX-License-Identifier: Apache-2.0
/** Tests of devices: their discovery, removal, limits and privileges, against a running kernel or a card in software. */
@NullMarked
package io.github.rdma4j.it.device;

import org.jspecify.annotations.NullMarked;
