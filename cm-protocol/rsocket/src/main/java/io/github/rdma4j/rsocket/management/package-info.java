// SPDX-License-Identifier: Apache-2.0

/** The connections of a program, as JMX shows them. */
@NullMarked
package io.github.rdma4j.rsocket.management;

import org.jspecify.annotations.NullMarked;
