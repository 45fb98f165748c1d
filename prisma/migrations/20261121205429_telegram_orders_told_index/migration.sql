-- CreateIndex
CREATE INDEX "telegram_orders_told_at_idx" ON "telegram_orders"("told_at");
