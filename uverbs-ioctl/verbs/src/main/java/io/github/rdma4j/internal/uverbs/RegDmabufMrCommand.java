// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.uverbs;

/**
 * Gives a dma-buf keys. Only the ioctl has it: {@code UVERBS_METHOD_REG_DMABUF_MR}, whose attributes these are.
 *
 * @param pdHandle the protection domain
 * @param offset where the region begins in the dma-buf
 * @param length bytes
 * @param iova the address by which work requests name the first byte, at the same offset within a page as {@code offset}
 * @param accessFlags {@code IB_UVERBS_ACCESS_*}
 */
public record RegDmabufMrCommand(int pdHandle, long offset, long length, long iova, int accessFlags) {}
