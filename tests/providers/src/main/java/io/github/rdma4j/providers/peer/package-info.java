// SPDX-License-Identifier: Apache-2.0
/** The library of a driver in a process of its own, and the provider in Java, on one device in software. */
@NullMarked
package io.github.rdma4j.providers.peer;

import org.jspecify.annotations.NullMarked;
